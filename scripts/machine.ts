// machine.ts: prints the machine's measured speed, and the load that other programs cause while the tests do not run.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const sampleMs = 2_000;
/** CPU time of the sample work on the reference machine, a cloud server of 2025. */
const referenceSeconds = 0.18;

function workSeconds(): number {
  const before = process.cpuUsage();
  let words = Array.from({ length: 20_000 }, (_, index) => `word ${index}`);
  for (let round = 0; round < 5; round++)
    words = words.map((word) => createHash('sha256').update(JSON.stringify({ word })).digest('hex')).toSorted();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Reads how long all cores were busy, and taken away by the host of a virtual machine. */
function readTimes(): { busy: number; stolen: number; all: number } | null {
  try {
    // cpu user nice system idle iowait irq softirq steal …
    const ticks = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]?.split(' ').slice(0, 8).map(Number) ?? [];
    const [, , , idle = 0, waiting = 0, , , stolen = 0] = ticks;
    const all = ticks.reduce((sum, part) => sum + part, 0);
    return { busy: all - idle - waiting - stolen, stolen, all };
  } catch {
    // Only Linux has this file.
    return null;
  }
}

const percent = (part: number, all: number) => `${Math.round((100 * part) / Math.max(1, all))} %`;

const before = readTimes();
await delay(sampleMs);
const after = readTimes();
const all = after === null || before === null ? 0 : after.all - before.all;
const load =
  after === null || before === null
    ? 'load of others unknown'
    : `other programs use ${percent(after.busy - before.busy, all)} of them, the host takes ${percent(after.stolen - before.stolen, all)}`;
const speed = (referenceSeconds / workSeconds()).toFixed(2);
process.stdout.write(
  `Machine: ${availableParallelism()} cores, ${Math.round(totalmem() / 1e9)} GB, speed ${speed} of the reference; ${load}\n`,
);
