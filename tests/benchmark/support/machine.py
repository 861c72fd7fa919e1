"""What figures were measured on."""
import os
import platform


def processor():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def machine():
    return f"{processor()}, {len(os.sched_getaffinity(0))} cores"
