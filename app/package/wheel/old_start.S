/* The start of a program as it was before glibc 2.34: it runs its own constructors, and says so to the C library. Every later one
   honours that. (app/package/wheel/portable.cmake) */
    .text
    .globl _start
    .type _start, @function
_start:
    .cfi_startproc
    .cfi_undefined rip
    xorl %ebp, %ebp
    movq %rdx, %r9
    popq %rsi
    movq %rsp, %rdx
    andq $-16, %rsp
    pushq %rax
    pushq %rsp
    xorl %r8d, %r8d
    leaq run_constructors(%rip), %rcx
    movq main@GOTPCREL(%rip), %rdi
    call *__libc_start_main@GOTPCREL(%rip)
    hlt
    .cfi_endproc
    .size _start, .-_start

/* (argc, argv, environment) */
    .type run_constructors, @function
run_constructors:
    .cfi_startproc
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    pushq %r12
    .cfi_adjust_cfa_offset 8
    pushq %r13
    .cfi_adjust_cfa_offset 8
    pushq %r14
    .cfi_adjust_cfa_offset 8
    pushq %r15
    .cfi_adjust_cfa_offset 8
    movl %edi, %r13d
    movq %rsi, %r14
    movq %rdx, %r15
    call _init@PLT
    leaq __init_array_start(%rip), %rbx
    leaq __init_array_end(%rip), %r12
1:  cmpq %r12, %rbx
    jae 2f
    movl %r13d, %edi
    movq %r14, %rsi
    movq %r15, %rdx
    call *(%rbx)
    addq $8, %rbx
    jmp 1b
2:  popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    ret
    .cfi_endproc
    .hidden __init_array_start
    .hidden __init_array_end
    .section .note.GNU-stack,"",@progbits
