"""Makes the system calls and network attempts in its JSON argument, and prints one JSON result per attempt.

Arguments of system calls are invalid or harmless, so that a kernel that is reached rejects them or changes only the child process.
"""

import ctypes
import glob
import json
import mmap
import os
import platform
import signal
import socket
import struct
import sys
from concurrent.futures import ThreadPoolExecutor

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
TIMEOUT_S = 5
CLONE = {"x86_64": 56, "aarch64": 220}


def system_call(number, arguments):
    """Returns the call's errno, 0 on success."""
    result = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(argument) for argument in arguments))
    if result == 0 and number == CLONE.get(platform.machine()):
        # The process that a successful clone has created.
        os._exit(0)
    return ctypes.get_errno() if result == -1 else 0


def socketcall_of_32_bits(family, kind, protocol):
    """Calls socket() through the 32-bit entry, where the family is behind a pointer that seccomp cannot read."""
    memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    memory[2048:2060] = struct.pack("<iii", family, kind, protocol)
    code = b"\x53\xb8\x66\0\0\0\xbb\x01\0\0\0\xb9" + struct.pack("<I", address + 2048) + b"\xcd\x80\x48\x63\xc0\x5b\xc3"
    memory[: len(code)] = code
    result = ctypes.CFUNCTYPE(ctypes.c_long)(address)()
    return -result if result < 0 else 0


def run_call(entry):
    """Runs a call in a child, because some end or change their process."""
    number = entry["numbers"].get(platform.machine())
    if number is None:
        return {"skipped": "not on this architecture"}
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        signal.alarm(60)
        if entry.get("abi") == "ia32":
            errno = socketcall_of_32_bits(*entry["args"])
        else:
            errno = system_call(number, entry["args"])
        os.write(writer, str(errno).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as output:
        text = output.read()
    _, status = os.waitpid(child, 0)
    return {"errno": int(text)} if text else {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0}


def tcp(host, port):
    with socket.create_connection((host, port), TIMEOUT_S):
        return "connected"


def family_of(host):
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def udp(host, port):
    with socket.socket(family_of(host), socket.SOCK_DGRAM) as sock:
        sock.settimeout(TIMEOUT_S)
        sock.sendto(b"probe", (host, port))
        return f"answer of {len(sock.recv(512))} bytes"


def send(host, port):
    """Reached if the packet leaves, since nobody has to answer a broadcast or multicast."""
    with socket.socket(family_of(host), socket.SOCK_DGRAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        if family_of(host) == socket.AF_INET6:
            outside = [index for index, name in socket.if_nameindex() if name != "lo"]
            sock.sendto(b"probe", (host, port, 0, outside[0] if outside else 0))
        else:
            sock.sendto(b"probe", (host, port))
        return "sent"


DNS_QUERY = struct.pack(">6H", 7, 0x100, 1, 0, 0, 0) + b"\x07example\x03com\0" + struct.pack(">2H", 1, 1)


def dns_udp(host, port):
    with socket.socket(family_of(host), socket.SOCK_DGRAM) as sock:
        sock.settimeout(TIMEOUT_S)
        sock.sendto(DNS_QUERY, (host, port))
        return f"answer of {len(sock.recv(512))} bytes"


def dns_tcp(host, port):
    with socket.create_connection((host, port), TIMEOUT_S) as sock:
        sock.sendall(struct.pack(">H", len(DNS_QUERY)) + DNS_QUERY)
        return f"answer of {len(sock.recv(512))} bytes"


def resolve(name):
    return socket.getaddrinfo(name, 80)[0][4][0]


def ping(host, kind):
    with socket.socket(socket.AF_INET, getattr(socket, kind), socket.IPPROTO_ICMP) as sock:
        sock.settimeout(TIMEOUT_S)
        echo = struct.pack(">BBHHH", 8, 0, 0xF7FF - 7, 0, 7)
        sock.sendto(echo + struct.pack(">H", 0), (host, 0))
        return f"answer of {len(sock.recv(512))} bytes"


def packet():
    with socket.socket(17, socket.SOCK_RAW, 0x0300):
        return "opened"


def links():
    names = [name for _, name in socket.if_nameindex() if name != "lo"]
    if not names:
        raise OSError("only lo")
    return ", ".join(names)


def add_route(gateway):
    """Adds a route to 203.0.113.0/24 through a gateway, over netlink."""
    attributes = struct.pack("=HH4s", 8, 1, socket.inet_aton("203.0.113.0")) + struct.pack("=HH4s", 8, 5, socket.inet_aton(gateway))
    body = struct.pack("=BBBBBBBBI", socket.AF_INET, 24, 0, 0, 254, 4, 0, 1, 0) + attributes
    with socket.socket(16, socket.SOCK_RAW, 0) as sock:
        sock.settimeout(TIMEOUT_S)
        sock.send(struct.pack("=IHHII", 16 + len(body), 24, 0x405, 1, 0) + body)
        answer = struct.unpack_from("=i", sock.recv(512), 16)[0]
    if answer != 0:
        raise OSError(-answer, os.strerror(-answer))
    return "added"


def unix(path):
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(TIMEOUT_S)
        sock.connect(path if not path.startswith("@") else "\0" + path[1:])
        return "connected"


def request(path, token):
    """Calls a sandbox's daemon with a token. Reached if it accepts the token."""
    with socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(TIMEOUT_S)
        sock.connect(path)
        sock.sendall(f"GET /health HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n".encode())
        status = int(sock.recv(512).split()[1])
    if status in (401, 403):
        raise OSError(f"status {status}")
    return f"status {status}"


def rows(path, skip):
    """Reached if a table of the kernel has rows about something outside this sandbox."""
    with open(path) as table:
        found = [line for line in table.read().splitlines()[1:] if not any(word in line for word in skip)]
    if not found:
        raise OSError("empty")
    return f"{len(found)} rows"


def find(pattern):
    """Reached if a path exists, for example one in the files of another process."""
    found = glob.glob(pattern)
    if not found:
        raise OSError("not found")
    return found[0]


def read(path):
    with open(path, "rb") as file:
        if not file.read(64):
            raise OSError("empty")
        return "has content"


KINDS = {
    "add-route": add_route,
    "dns-tcp": dns_tcp,
    "dns-udp": dns_udp,
    "find": find,
    "links": links,
    "packet": packet,
    "ping": ping,
    "read": read,
    "request": request,
    "resolve": resolve,
    "rows": rows,
    "send": send,
    "tcp": tcp,
    "udp": udp,
    "unix": unix,
}


def run_attempt(entry):
    try:
        return {"reached": KINDS[entry["kind"]](*entry["args"])}
    except (OSError, ValueError, IndexError) as error:
        return {"failed": str(error)}


def main():
    plan = json.loads(sys.argv[1])
    calls = [{"name": entry["name"], **run_call(entry)} for entry in plan["calls"]]
    with ThreadPoolExecutor(16) as pool:
        attempts = [{"name": e["name"], "kind": e["kind"], **r} for e, r in zip(plan["attempts"], pool.map(run_attempt, plan["attempts"]))]
    print(json.dumps({"calls": calls, "attempts": attempts}))


main()
