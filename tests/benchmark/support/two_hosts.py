"""Two hosts on this machine: network namespaces, joined by a link of a latency and a bandwidth. Needs root, Linux, `ip` and `tc`
(Debian: iproute2) with the queue `tbf`, /dev/net/tun, and Open MPI.

The link is a cable between two TUN devices: `python3 two_hosts.py cable TUN TUN SECONDS`, which holds each packet so long (the queue
`netem`, which would, is not in every kernel); the bandwidth is that of `tbf` on each device. Without latency it is a veth pair.
"""
import collections
import contextlib
import ctypes
import fcntl
import os
import pathlib
import select
import socket
import struct
import subprocess
import sys
import threading
import time

NETWORK = "10.77.0"
PORT = 7700
STREAM_BYTES = 64 << 20
AGENT = """#!/bin/sh
shift
exec ip netns exec {space} unshare --uts sh -c 'hostname {space}; exec sh -c "$0"' "$*"
"""


def ip(*words):
    subprocess.run(["ip", *map(str, words)], check=True)


def address(host):
    return f"{NETWORK}.{host + 1}"


class TwoHosts:
    """With it, commands on either host and MPI on both; what it makes is gone at the end."""

    def __init__(self, folder, bits_per_s, latency_s):
        self.spaces = [f"recon-{os.getpid()}-{host}" for host in range(2)]
        self.devices = [f"rc{os.getpid() % 1000000}-{host}" for host in range(2)]
        self.bits_per_s, self.latency_s = bits_per_s, latency_s
        self.agent = pathlib.Path(folder) / "agent"
        self.cable = None

    def __enter__(self):
        try:
            self.build()
        except BaseException:
            self.__exit__()
            raise
        return self

    def build(self):
        for space in self.spaces:
            ip("netns", "add", space)
        if self.latency_s > 0:
            self.cable = subprocess.Popen([sys.executable, __file__, "cable", *self.devices, str(self.latency_s)], stdout=subprocess.PIPE)
            self.cable.stdout.readline()  # the devices are there
        else:
            ip("link", "add", self.devices[0], "type", "veth", "peer", "name", self.devices[1])
        for host, (space, device) in enumerate(zip(self.spaces, self.devices)):
            ip("link", "set", device, "netns", space)
            ip("-n", space, "addr", "add", f"{address(host)}/24", "dev", device)
            ip("-n", space, "link", "set", "lo", "up")
            ip("-n", space, "link", "set", device, "mtu", 1500, "up")
            ip("-n", space, "route", "replace", f"{NETWORK}.0/24", "dev", device, "src", address(host), "congctl", "cubic")  # as hosts have it
            subprocess.run(["ip", "netns", "exec", space, "tc", "qdisc", "replace", "dev", device, "root", "tbf", "rate",
                            f"{self.bits_per_s:.0f}bit", "burst", "72kb", "latency", "50ms"], check=True)
        self.agent.write_text(AGENT.format(space=self.spaces[1]), encoding="utf-8")
        self.agent.chmod(0o755)

    def __exit__(self, *_):
        if self.cable:
            self.cable.terminate()
            self.cable.wait()
        for space in self.spaces:
            subprocess.run(["ip", "netns", "del", space], stderr=subprocess.DEVNULL, check=False)

    def on(self, host, *command):
        """The command, as one of that host, which has a name of its own."""
        space = self.spaces[host]
        return ["ip", "netns", "exec", space, "unshare", "--uts", "sh", "-c", f'hostname {space}; exec "$0" "$@"', *map(str, command)]

    def mpirun(self):
        """In front of a program: one rank on each host."""
        network = f"{NETWORK}.0/24"
        return self.on(0, "mpirun", "--allow-run-as-root", "--bind-to", "none", "--host", f"{address(0)}:1,{address(1)}:1", "-n", 2,
                       "--mca", "plm_rsh_agent", self.agent, "--mca", "oob_tcp_if_include", network, "--mca", "pml", "ob1",
                       "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", network)

    def measure(self):
        """By TCP alone. @return seconds of half a round trip of a byte, bytes/s one way, and bytes/s each way of both at once"""
        answering = subprocess.Popen(self.on(1, sys.executable, __file__, "answer"), stdout=subprocess.PIPE)
        answering.stdout.readline()  # it listens
        asked = subprocess.run(self.on(0, sys.executable, __file__, "ask"), check=True, stdout=subprocess.PIPE, text=True)
        answering.wait()
        return [float(word) for word in asked.stdout.split()]


def open_tun(name):
    tun_set_device, tun_set_offload = 0x400454ca, 0x400454d0
    tun, no_packet_information, virtio_header = 0x0001, 0x1000, 0x4000
    checksums, tcp_segments = 1, 2  # packets of 64 KiB, as between a host and its virtual machines
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, tun_set_device, struct.pack("16sH22x", name.encode(), tun | no_packet_information | virtio_header))
    fcntl.ioctl(device, tun_set_offload, checksums | tcp_segments)
    return device


def be_cable(first, second, latency_s):
    """Every packet leaves the other end so much later."""
    ends = [open_tun(first), open_tun(second)]
    other_end = dict(zip(ends, reversed(ends)))
    set_timer_slack = 29
    ctypes.CDLL(None).prctl(set_timer_slack, 1, 0, 0, 0)  # or it would wake up 50 microseconds late
    if os.sched_getscheduler(0) == os.SCHED_RR:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(2))  # a cable waits for no one
    print("ready", flush=True)
    under_way = collections.deque()
    while True:
        wait = max(0.0, under_way[0][0] - time.monotonic()) if under_way else None
        for end in select.select(ends, [], [], wait)[0]:
            try:
                while True:
                    packet = os.read(end, 70000)
                    under_way.append((time.monotonic() + latency_s, other_end[end], packet))
                    if len(packet) > 10000:
                        break  # those that are due must not wait for what is behind it
            except BlockingIOError:
                pass
            except OSError:
                return  # the devices are gone
        while under_way and under_way[0][0] <= time.monotonic():
            _, end, packet = under_way.popleft()
            with contextlib.suppress(OSError):  # into a device that is not up yet
                os.write(end, packet)


def prompt(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def receive(connection, count):
    while count > 0:
        count -= len(connection.recv(min(count, 1 << 20)))


def send_and_receive(connection, content):
    receiving = threading.Thread(target=receive, args=(connection, len(content)))
    receiving.start()
    connection.sendall(content)
    receiving.join()


def answer():
    content = bytes(STREAM_BYTES)
    with socket.create_server((address(1), PORT)) as server:
        print("ready", flush=True)
        connection = prompt(server.accept()[0])
        while word := connection.recv(1):
            if word == b".":
                receive(connection, STREAM_BYTES)
            connection.sendall(word)
            if word == b":":
                send_and_receive(connection, content)


def ask():
    content = bytes(STREAM_BYTES)

    def seconds(word, send):
        start = time.perf_counter()
        connection.sendall(word)
        if word == b".":
            send(connection, content)
        receive(connection, 1)
        if word == b":":
            send(connection, content)
        return time.perf_counter() - start

    with prompt(socket.create_connection((address(1), PORT))) as connection:
        round_trips = sorted(seconds(b"?", None) for _ in range(1000))
        one_way = min(seconds(b".", socket.socket.sendall) for _ in range(5))
        both_ways = min(seconds(b":", send_and_receive) for _ in range(5))
        print(round_trips[len(round_trips) // 2] / 2, STREAM_BYTES / one_way, STREAM_BYTES / both_ways)


if __name__ == "__main__":
    role = sys.argv[1]
    if role == "cable":
        be_cable(sys.argv[2], sys.argv[3], float(sys.argv[4]))
    elif role == "answer":
        answer()
    else:
        ask()
