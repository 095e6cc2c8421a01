"""
A network of our own, with nothing but the loopback, for the driver and all that it starts.

Linux looks for a free local port among those of one parity first, one by one. Of its usual 28,000 ports that is slow from
14,000 connections to one server on, and the overload needs 16,000. A network of its own may use more ports, and the
machine's settings stay as they are. Besides, no tool can reach anything but the servers here.
"""
import ctypes
import fcntl
import os
import socket
import struct

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_SIOCSIFFLAGS, _IFF_UP, _IFF_RUNNING = 0x8914, 0x1, 0x40
_PORTS = "2000 65000"


def enter():
    """Call before anything is started. Gives back what came of it, for the header."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    if libc.unshare(_CLONE_NEWNET if user == 0 else _CLONE_NEWNET | _CLONE_NEWUSER) != 0:
        return f"the machine's, since there may be no other ({os.strerror(ctypes.get_errno())}): connecting is slow past 14,000"
    if user != 0:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", f"{user} {user} 1")
        _write("/proc/self/gid_map", f"{group} {group} 1")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP | _IFF_RUNNING))
    try:
        _write("/proc/sys/net/ipv4/ip_local_port_range", _PORTS)
    except OSError as failure:
        return f"our own, with the usual ports ({failure.strerror}): connecting is slow past 14,000"
    return f"our own, loopback only, local ports {_PORTS.replace(' ', ' to ')}"


def _write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
