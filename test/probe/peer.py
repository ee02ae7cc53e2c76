"""A neighbour for the weak control: listens in every way that the probe tries, until its container is removed."""

import socket
import socketserver
import sys
import threading

TCP, UDP, DNS, ABSTRACT = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]


class Stream(socketserver.BaseRequestHandler):
    def handle(self):
        self.request.settimeout(1)
        try:
            self.request.sendall(self.request.recv(512) or b"-")
        except OSError:
            pass


class Datagram(socketserver.BaseRequestHandler):
    def handle(self):
        data, sock = self.request
        sock.sendto(data, self.client_address)


class AbstractServer(socketserver.ThreadingUnixStreamServer):
    def server_bind(self):
        self.socket.bind("\0" + ABSTRACT)


open("/tmp/koda-probe-neighbour", "w").close()
servers = [
    socketserver.ThreadingTCPServer(("0.0.0.0", TCP), Stream),
    socketserver.ThreadingTCPServer(("0.0.0.0", DNS), Stream),
    socketserver.ThreadingUDPServer(("0.0.0.0", UDP), Datagram),
    socketserver.ThreadingUDPServer(("0.0.0.0", DNS), Datagram),
    AbstractServer(ABSTRACT, Stream),
]
for server in servers:
    threading.Thread(target=server.serve_forever).start()
print("ready", socket.gethostbyname(socket.gethostname()), flush=True)
