/** A system call that a sandbox must not reach, with arguments that a kernel rejects or that change only the calling process. */
export interface DeniedCall {
  readonly name: string;
  readonly numbers: Readonly<Partial<Record<'x86_64' | 'aarch64', number>>>;
  readonly args: readonly number[];
  /** `ia32`: made through the 32-bit entry of a 64-bit kernel. */
  readonly abi?: 'ia32';
}

/** An address that no process has mapped. */
const badPointer = 1;
const badFlags = 0x7fff_0000;

const call = (name: string, x86_64: number, aarch64: number | null, ...args: number[]): DeniedCall => ({
  name,
  numbers: aarch64 === null ? { x86_64 } : { x86_64, aarch64 },
  args,
});
/** For calls that are newer than arm64, which have one number everywhere. */
const everywhere = (name: string, number: number, ...args: number[]) => call(name, number, number, ...args);
const socket = (name: string, ...args: [family: number, type: number, protocol: number]) =>
  call(`socket ${name}`, 41, 198, ...args);

const stream = 1;
const datagram = 2;
const raw = 3;
const sequencedPackets = 5;
const netlink = 16;

export const deniedCalls: readonly DeniedCall[] = [
  // Families and protocols whose kernel code no sandbox needs.
  socket('AF_ALG', 38, sequencedPackets, 0),
  socket('AF_ALG, upper half of the argument set', 0x1_0000_0026, sequencedPackets, 0),
  socket('AF_AX25', 3, datagram, 0),
  socket('AF_BLUETOOTH', 31, raw, 1),
  socket('AF_CAN', 29, raw, 1),
  socket('AF_KEY', 15, raw, 2),
  socket('AF_PACKET', 17, raw, 0x0300),
  socket('AF_QIPCRTR', 42, datagram, 0),
  socket('AF_RDS', 21, sequencedPackets, 0),
  socket('AF_RXRPC', 33, datagram, 2),
  socket('AF_SMC', 43, stream, 0),
  socket('AF_TIPC', 30, sequencedPackets, 0),
  socket('AF_VSOCK', 40, stream, 0),
  socket('AF_XDP', 44, raw, 0),
  socket('DCCP', 2, 6, 33),
  socket('ICMP', 2, datagram, 1),
  socket('MPTCP', 2, stream, 262),
  socket('NETLINK_CRYPTO', netlink, raw, 21),
  socket('NETLINK_GENERIC', netlink, raw, 16),
  socket('NETLINK_NETFILTER', netlink, raw, 12),
  socket('NETLINK_SOCK_DIAG', netlink, raw, 4),
  socket('NETLINK_XFRM', netlink, raw, 6),
  socket('raw IPv4', 2, raw, 1),
  socket('raw IPv6', 10, raw, 58),
  socket('SCTP', 2, stream, 132),
  { name: 'socketcall AF_ALG (32 bits)', numbers: { x86_64: 102 }, args: [38, sequencedPackets, 0], abi: 'ia32' },
  call('socketpair AF_TIPC', 53, 199, 30, sequencedPackets, 0, badPointer),
  call('getpid (x32)', 0x4000_0027, null),
  // Namespaces and mounts.
  call('clone NEWUSER', 56, 220, 0x1000_0000 + 17, 0, 0, 0, 0),
  everywhere('clone3', 435, 0, 0),
  call('unshare NEWUSER', 272, 97, 0x1000_0000),
  call('unshare NEWNET and NEWUSER', 272, 97, 0x5000_0000),
  call('setns', 308, 268, -1, 0),
  call('chroot', 161, 51, badPointer),
  call('mount', 165, 40, badPointer, badPointer, badPointer, 0, 0),
  call('pivot_root', 155, 41, badPointer, badPointer),
  call('umount2', 166, 39, badPointer, 0),
  everywhere('fsconfig', 431, -1, 0, 0, 0, 0),
  everywhere('fsmount', 432, -1, 0, 0),
  everywhere('fsopen', 430, badPointer, 0),
  everywhere('fspick', 433, -1, badPointer, 0),
  everywhere('mount_setattr', 442, -1, badPointer, badFlags, badPointer, 0),
  everywhere('move_mount', 429, -1, badPointer, -1, badPointer, badFlags),
  everywhere('open_tree', 428, -1, badPointer, badFlags),
  // Other processes, and files without a path.
  call('kcmp', 312, 272, 0x7fff_ffff, 0x7fff_ffff, 0, 0, 0),
  call('name_to_handle_at', 303, 264, -1, badPointer, badPointer, badPointer, badFlags),
  call('open_by_handle_at', 304, 265, -1, badPointer, 0),
  everywhere('pidfd_getfd', 438, -1, 0, 1),
  everywhere('process_madvise', 440, -1, 0, 0, 0, 1),
  call('process_vm_readv', 310, 270, 0, 0, 0, 0, 0, 1),
  call('process_vm_writev', 311, 271, 0, 0, 0, 0, 0, 1),
  call('ptrace', 101, 117, 9999, 0x7fff_ffff, 0, 0),
  // Large interfaces of the kernel.
  call('add_key', 248, 217, badPointer, badPointer, badPointer, 0, 0),
  call('bpf', 321, 280, 9999, badPointer, 0),
  call('fanotify_init', 300, 262, badFlags, 0),
  everywhere('io_uring_enter', 426, -1, 0, 0, 0, 0, 0),
  everywhere('io_uring_register', 427, -1, 0, 0, 0),
  everywhere('io_uring_setup', 425, 0, badPointer),
  call('io_setup', 206, 0, 0, badPointer),
  call('keyctl', 250, 219, 9999, 0, 0, 0, 0),
  everywhere('memfd_secret', 447, badFlags),
  call('mq_open', 240, 180, badPointer, 0, 0, 0),
  call('perf_event_open', 298, 241, badPointer, 0, -1, -1, 0),
  call('personality ADDR_NO_RANDOMIZE', 135, 92, 0x0004_0000),
  call('remap_file_pages', 216, 234, 0, 0, 1, 0, 0),
  call('request_key', 249, 218, badPointer, badPointer, badPointer, 0),
  call('userfaultfd', 323, 282, badFlags),
  call('vmsplice', 278, 75, -1, badPointer, 1, 0),
  // The machine.
  call('acct', 163, 89, badPointer),
  call('adjtimex', 159, 171, badPointer),
  call('clock_settime', 227, 112, 999, badPointer),
  call('delete_module', 176, 106, badPointer, 0),
  call('finit_module', 313, 273, -1, badPointer, 0),
  call('init_module', 175, 105, badPointer, 0, badPointer),
  call('ioperm', 173, null, 0x1_0000, 1, 1),
  call('iopl', 172, null, 99),
  call('kexec_file_load', 320, 294, -1, -1, 0, badPointer, badFlags),
  call('kexec_load', 246, 104, 0, 0, badPointer, 0xff00),
  call('mbind', 237, 235, 0, 0, 99, 0, 0, badFlags),
  call('modify_ldt', 154, null, 99, 0, 0),
  call('move_pages', 279, 239, 0, 0, 0, 0, 0, badFlags),
  call('quotactl', 179, 60, -1, badPointer, 0, 0),
  call('reboot', 169, 142, 0, 0, 0, 0),
  call('sethostname', 170, 161, badPointer, -1),
  call('settimeofday', 164, 170, badPointer, 0),
  call('swapoff', 168, 225, badPointer),
  call('swapon', 167, 224, badPointer, 0),
  call('syslog', 103, 116, 99, 0, 0),
];
