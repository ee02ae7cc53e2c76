import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShellResult } from '#contract/sandbox/shells.ts';
import type { Sandbox } from '../../server/sandbox/sandbox.ts';
import { until } from '../fixtures/progress.ts';
import {
  isRunning,
  providerKinds,
  raw,
  shell,
  signal,
  type TestProvider,
  type TestSandbox,
  testProvider,
} from '../fixtures/sandbox.ts';

/** Longer than a command takes on a busy machine. */
const patienceMs = 120_000;

describe.each(providerKinds)('shell sessions: %s', (kind) => {
  let place: TestProvider;
  let test: TestSandbox;
  let sandbox: Sandbox;
  let names = 0;

  beforeAll(async () => {
    place = testProvider(kind);
    test = await place.create();
    ({ sandbox } = test);
  });
  afterAll(async () => {
    await place?.[Symbol.asyncDispose]();
  });

  const fresh = () => `s${++names}`;
  const exec = (name: string, command: string, timeoutMs = patienceMs) =>
    sandbox.shellExec(name, { command, timeoutMs }, { signal });
  const send = (name: string, input: string, timeoutMs = patienceMs) => sandbox.shellSend(name, { input, timeoutMs }, { signal });
  const wait = (name: string, timeoutMs = patienceMs) => sandbox.shellWait(name, { timeoutMs }, { signal });
  const view = (name: string) => sandbox.shellView(name, { signal });
  const kill = (name: string) => sandbox.shellKill(name, { signal });
  const done = (exitCode: number, output: string) => ({ running: false, exitCode, ended: false, truncated: false, output });

  /** Runs a command that does not end by itself, until its output matches. */
  const begin = async (name: string, command: string, shows: RegExp): Promise<ShellResult> => {
    await exec(name, command, 100);
    return await shown(name, shows);
  };
  /** Waits until the output of the running command matches. */
  const shown = async (name: string, shows: RegExp): Promise<ShellResult> => {
    let answer = await view(name);
    await until(`${shows} in the output of ${name}`, async () => {
      answer = await wait(name, 100);
      return shows.test(answer.output);
    });
    return answer;
  };

  const isAlive = (word: string) => isRunning(sandbox, word);
  const untilAlive = (word: string) => until(`${word} runs`, () => isAlive(word));
  const untilGone = (word: string) => until(`${word} has ended`, async () => !(await isAlive(word)));
  const daemonBytes = async () =>
    Number(await shell(sandbox, "grep VmRSS /proc/$(ps -o ppid= -p $$ | tr -d ' ')/status | tr -dc 0-9")) * 1024;

  describe('completion', () => {
    const name = 'completion';

    it.each<[string, string, number, string]>([
      ['a command that succeeds', 'echo hi', 0, 'hi\n'],
      ['one that fails', '(exit 7)', 7, ''],
      ['one that is not there', 'no-such-program-at-all', 127, 'bash: no-such-program-at-all: command not found\n'],
      ['output without an end of line', "printf 'a\\nb'", 0, 'a\nb'],
      ['several lines', 'for i in 1 2; do\n  echo $i\ndone\nfalse', 1, '1\n2\n'],
      ['a here-document', 'cat <<END\none\n$((1 + 1))\nEND\necho three', 0, 'one\n2\nthree\n'],
      ['the exit code of the command before', 'echo "was $?"', 0, 'was 0\n'],
      [
        'quotes, backslashes and other scripts',
        `echo 'it''s' "\\"q\\"" \\\\ 日本 😀 $'\\x41' "$(printf 'x\\ty')"`,
        0,
        `its "q" \\ 日本 😀 A x\ty\n`,
      ],
      ['what looks like a prompt', "printf '$ \\n# \\nbash-5.2$ '; (exit 3)", 3, '$ \n# \nbash-5.2$ '],
      ['what looks like our own mark', "printf '\\033]5522;123456\\007%s\\n' '1 0 123456'; (exit 4)", 4, '1 0 123456\n'],
      [
        'an expansion that ends the whole line',
        'set -u; echo one; : $nothing; echo two',
        1,
        'one\nbash: nothing: unbound variable\n',
      ],
      ['a word that only a loop may say', 'break; (exit 5)', 5, expect.stringContaining('break') as unknown as string],
      ['a return from nothing', 'return 6; (exit 6)', 6, expect.stringContaining('return') as unknown as string],
      ['a program that takes its terminal for a screen', "printf '\\033[?1049h\\033[2J\\033[Hscreen\\033[?1049l'", 0, 'screen'],
      ['a program that reads keys by itself', 'stty raw -echo; printf "a\\r\\nb\\r\\n"; stty sane', 0, 'a\nb\n'],
      ['colours and progress', "printf '\\033[31m10%%\\r100%%\\033[0m\\n'", 0, '100%\n'],
      ['binary output', 'printf "\\377\\000\\001a\\n"', 0, '�a\n'],
      ['a program that leaves the terminal', 'setsid -w echo out', 0, 'out\n'],
      ['a command that ignores signals', "(trap '' INT TERM; sleep 0.2); echo over", 0, 'over\n'],
    ])('T2: detects the end of %s', async (_what, command, exitCode, output) => {
      expect(await exec(name, command)).toMatchObject(done(exitCode, output));
    });

    it.each([
      ['a quote', 'echo "never'],
      ['a bracket', 'echo $(never'],
      ['a block', 'if true; then echo never'],
    ])('T2: reports %s that is not closed as an error, not as the start of the next command', async (_what, command) => {
      const answer = await exec(name, command);
      expect(answer).toMatchObject({ running: false, exitCode: expect.toSatisfy((code) => code !== 0) });
      expect(answer.output).toMatch(/unexpected (EOF|end of file)/);
      expect(await exec(name, 'echo next')).toMatchObject(done(0, 'next\n'));
    });

    it('T2: runs 10,000 characters and refuses more', async () => {
      const long = `printf %s '${'é'.repeat(9_978)}' | wc -c`;
      const exact = long.padEnd(10_000, ' ');
      expect(exact).toHaveLength(10_000);
      expect(await exec(name, exact)).toMatchObject(done(0, `${9_978 * 2}\n`));
      await expect(exec(name, `${exact}x`)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(exec(name, 'echo a\0b')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    });

    it('T2: keeps folder, variables, functions, options and jobs between commands', async () => {
      await exec(name, 'mkdir -p inner && cd inner; export WORD=kept; declare LOCAL=too; greet() { echo "hello $1"; return 9; }');
      expect(await exec(name, 'pwd | grep -o "[^/]*$"; echo $WORD $LOCAL; bash -c \'echo $WORD\'')).toMatchObject(
        done(0, 'inner\nkept too\nkept\n'),
      );
      expect(await exec(name, 'greet you')).toMatchObject(done(9, 'hello you\n'));
      expect(await exec(name, 'echo $?')).toMatchObject(done(0, '9\n'));
      await exec(name, 'sleep 31.201 &');
      expect((await exec(name, 'jobs')).output).toContain('sleep 31.201');
      expect(await exec(name, 'kill %1; wait %1')).toMatchObject({ exitCode: 143 });
      expect(await exec(name, 'exec >quiet.txt; echo hidden; exec >/dev/tty')).toMatchObject(done(0, ''));
      expect(await exec(name, 'cat quiet.txt')).toMatchObject(done(0, 'hidden\n'));
    });

    it('T2: survives a command that removes its markers', async () => {
      for (const command of ['PROMPT_COMMAND=', 'unset PROMPT_COMMAND', 'unset -f __koda_report', '__koda_report() { :; }'])
        expect((await exec(name, command)).output).toContain('readonly');
      await exec(name, 'exec <&-; exec </dev/null');
      await exec(name, 'trap "echo debug" DEBUG; trap - DEBUG; set -x');
      const answer = await exec(name, 'set +x; (exit 8)');
      expect(answer.exitCode).toBe(8);
      expect(answer.output).not.toContain('__koda');
      expect(await exec(name, 'exec 2>&1 >/dev/tty; head -c 3 </dev/zero | wc -c')).toMatchObject(done(0, '3\n'));
    });

    it('T2: a shell whose own files a command has closed stops responding, but can be ended', async () => {
      const broken = fresh();
      expect(await exec(broken, 'for fd in $(seq 3 255); do eval "exec $fd>&-"; done', 500)).toMatchObject({ running: true });
      await kill(broken);
      expect(await exec(broken, 'echo new')).toMatchObject(done(0, 'new\n'));
    });

    it('T2: a signal to an idle shell does not end the next command', async () => {
      await exec(name, '(sleep 0.3; kill -INT $$; exec sleep 32.220) & disown');
      await untilAlive('32.220');
      expect(await exec(name, 'sleep 0.3; echo whole; (exit 3)')).toMatchObject({
        exitCode: 3,
        output: expect.stringContaining('whole\n'),
      });
    });

    it('T2: returns the complete output of each of many consecutive commands', async () => {
      for (let index = 0; index < 40; index++) {
        const lines = `${Array.from({ length: 200 }, (_, line) => `${index} ${line + 1}`).join('\n')}\n`;
        expect(await exec(name, `seq -f '${index} %g' 200; (exit ${index})`)).toMatchObject(done(index, lines));
      }
    });
  });

  it('T2: a reading command receives the sent input, and nothing of the commands', async () => {
    const name = fresh();
    const asked = await begin(name, 'read -p \'Your name? \' x; echo "hello $x"; (exit 5)', /name\? $/);
    expect(asked).toMatchObject({ running: true, exitCode: null, output: 'Your name? ' });
    await expect(exec(name, 'echo too early')).rejects.toMatchObject({
      code: 'SESSION_BUSY',
      message: expect.stringContaining(name),
    });
    // A busy machine may be silent for so long that sending returns before the echo, or before the command has ended.
    expect((await send(name, 'you\r')).output).toMatch(/^(you\n(hello you\n)?)?$/);
    expect(await wait(name)).toMatchObject(done(5, 'Your name? you\nhello you\n'));
    expect(await view(name)).toMatchObject({
      output: `$ read -p 'Your name? ' x; echo "hello $x"; (exit 5)\nYour name? you\nhello you\n`,
      exitCode: 5,
    });
    await exec(name, 'cat >typed.txt', 200);
    await send(name, 'one\rtwo\r');
    await send(name, '\u0004');
    expect(await wait(name)).toMatchObject({ running: false, exitCode: 0 });
    expect(await exec(name, 'cat typed.txt')).toMatchObject(done(0, 'one\ntwo\n'));
    await expect(send(name, 'x')).rejects.toMatchObject({ code: 'SESSION_IDLE' });
  });

  it('T2: an interactive program responds line by line', async () => {
    const name = fresh();
    expect(await begin(name, 'node -i', /> /)).toMatchObject({ running: true });
    await send(name, '6 * 7\r');
    await shown(name, /\n42\n/);
    await send(name, '.exit\r');
    expect(await wait(name)).toMatchObject({ running: false, exitCode: 0 });
  });

  it.each([
    ['a program', 'echo begun; sleep 41.202'],
    ['a loop of bash itself', 'echo begun; while :; do :; done'],
    ['a program that was stopped', 'echo begun; sleep 41.203 & fg'],
  ])('T2: Ctrl-C ends %s, and the session continues', async (_what, command) => {
    const name = fresh();
    expect(await begin(name, command, /^begun\n/)).toMatchObject({ running: true });
    await send(name, '\u0003');
    expect(await wait(name)).toMatchObject({ running: false, exitCode: 130 });
    expect(await exec(name, 'echo on')).toMatchObject(done(0, 'on\n'));
  });

  it('T2: a command continues after the time limit; waiting returns its complete output and exit code', async () => {
    const name = fresh();
    const command = 'echo first; until [ -e go ]; do sleep 0.05; done; echo second; (exit 6)';
    expect(await begin(name, command, /first/)).toMatchObject({ running: true, output: 'first\n' });
    expect(await wait(name, 100)).toMatchObject({ running: true });
    await sandbox.writeFile('go', Buffer.from(''), { signal });
    expect(await wait(name)).toMatchObject(done(6, 'first\nsecond\n'));
    expect(await wait(name)).toMatchObject(done(6, 'first\nsecond\n'));
  });

  it.each<[string, string, Partial<ShellResult>]>([
    ['exit', 'echo bye; exit 3', { exitCode: 3, output: expect.stringMatching(/^bye\n/) as unknown as string }],
    ['another program in its place', 'exec bash -c "echo other; exit 4"', { exitCode: 4, output: 'other\n' }],
    ['a signal', 'kill -KILL $$', { exitCode: 137 }],
    ['a failure that it shall not survive', 'set -e; false', { exitCode: 1 }],
    ['the polite signal', 'kill $$; sleep 1', { exitCode: 143 }],
  ])('T2: reports the end of a session by %s, and the next command starts a new one', async (_what, command, expected) => {
    const name = fresh();
    await exec(name, 'OLD=1; sleep 61.206 &');
    expect(await exec(name, command)).toMatchObject({ running: false, ended: true, ...expected });
    await expect(send(name, 'x')).rejects.toMatchObject({ code: 'SESSION_IDLE', message: expect.stringContaining('exited') });
    expect(await view(name)).toMatchObject({ ended: true });
    await untilGone('61.206');
    expect(await exec(name, 'echo "old: $OLD"')).toMatchObject(done(0, 'old: \n'));
    await kill(name);
  });

  // The commands run in parallel, in separate sessions, because most of the time is the 5 s grace period for processes that
  // ignore signals.
  describe.concurrent('ends', () => {
    it('A10: cancelling a call interrupts its command', async () => {
      const name = fresh();
      const abort = new AbortController();
      const running = expect(
        sandbox.shellExec(name, { command: 'sleep 51.204', timeoutMs: patienceMs }, { signal: abort.signal }),
      ).rejects.toMatchObject({ code: 'CANCELLED' });
      await untilAlive('51.204');
      abort.abort();
      await running;
      await untilGone('51.204');
      // A shell that a busy machine keeps from reporting the interrupt in time is ended.
      expect(await wait(name)).toMatchObject({ running: false, exitCode: expect.toBeOneOf([130, 137, 143]) });
      const stubborn = new AbortController();
      const ignoring = expect(
        sandbox.shellExec(name, { command: "trap '' INT; sleep 51.205", timeoutMs: patienceMs }, { signal: stubborn.signal }),
      ).rejects.toMatchObject({ code: 'CANCELLED' });
      await untilAlive('51.205');
      stubborn.abort();
      await ignoring;
      await untilGone('51.205');
    });

    it('T2: ends all processes of a session, with SIGTERM first and by force after that', async () => {
      const name = fresh();
      await exec(
        name,
        'trap "" HUP; sleep 71.207 & (setsid sleep 72.208 &); env -i /bin/sleep 73.209 & nohup sleep 74.210 >/dev/null 2>&1 &',
      );
      await exec(name, `(setsid bash -c 'trap "" TERM HUP INT; while :; do sleep 0.27211; done' &)`);
      await begin(name, `bash -c 'trap "echo asked; exit 0" TERM; echo ready; while :; do sleep 0.1; done'`, /^ready/);
      expect(await kill(name)).toMatchObject({ running: false, ended: true, output: expect.stringContaining('asked\n') });
      for (const word of ['71.207', '72.208', '73.209', '74.210', '0.27211']) expect(await isAlive(word), word).toBe(false);
      await expect(view(name)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND', message: expect.stringContaining('killed') });
      expect((await sandbox.shells({ signal })).map((session) => session.name)).not.toContain(name);
    });

    it('T2: kills a stopped program, a stopped shell and a shell that ignores TERM', async () => {
      const name = fresh();
      await exec(name, 'sleep 75.212', 100);
      await untilAlive('75.212');
      await send(name, '\u001a');
      expect(await wait(name)).toMatchObject({ running: false, exitCode: 148 });
      await kill(name);
      expect(await isAlive('75.212')).toBe(false);
      await exec(name, 'sleep 76.213 & suspend -f', 500);
      await kill(name);
      expect(await isAlive('76.213')).toBe(false);
      await exec(name, "trap '' TERM INT HUP; while :; do sleep 0.28214; done", 500);
      await kill(name);
      expect(await isAlive('0.28214')).toBe(false);
    });

    it('leaves no session behind when the sandbox is destroyed', async () => {
      const other = await place.create();
      const request = {
        command: `trap '' HUP; (setsid bash -c 'trap "" TERM; while :; do sleep 0.31218; done' &); sleep 92.219`,
        timeoutMs: 500,
      };
      expect(await other.sandbox.shellExec('main', request, { signal })).toMatchObject({ running: true });
      await other.sandbox.openTerminal('person', { columns: 80, rows: 24 }, { signal });
      await place.provider.destroy(other.sandbox.id, { signal });
      // Plain processes share the machine with the first sandbox; containers could not see them.
      if (kind === 'process') for (const word of ['0.31218', '92.219']) expect(await isAlive(word), word).toBe(false);
      await expect(other.sandbox.shellView('main', { signal })).rejects.toMatchObject({ code: 'SANDBOX_DEAD' });
    });
  });

  it('T2: floods of output neither fill the memory of the daemon nor stop it', async () => {
    const names = [fresh(), fresh(), fresh()];
    await exec(names[0] ?? '', 'true');
    const before = await daemonBytes();
    for (const name of names) {
      await exec(name, 'yes "$(head -c 200 /dev/zero | tr "\\0" x)"', 100);
      await expect.poll(() => wait(name, 100)).toMatchObject({ running: true, truncated: true });
    }
    await delay(2_000);
    expect((await sandbox.health({ signal })).version).toBeTruthy();
    for (const name of names) {
      const answer = await view(name);
      expect(answer.output.length).toBeLessThanOrEqual(50 * 1024);
      expect(answer.output).toMatch(/x{200}\n/);
    }
    expect((await daemonBytes()) - before).toBeLessThan(150 * 1024 * 1024);
    await send(names[0] ?? '', '\u0003');
    expect(await wait(names[0] ?? '')).toMatchObject({ running: false, exitCode: 130 });
    expect(await exec(names[0] ?? '', 'head -c 300000 /dev/urandom; echo; echo end; (exit 2)')).toMatchObject({
      running: false,
      exitCode: 2,
      truncated: true,
      output: expect.stringMatching(/\nend\n$/),
    });
    for (const name of names) await kill(name);
  });

  it('T2: detects the end of a command despite a flood from the background', async () => {
    const name = fresh();
    await exec(name, 'yes background &');
    expect(await exec(name, 'sleep 0.2; (exit 12)')).toMatchObject({ running: false, exitCode: 12 });
    expect(await kill(name)).toMatchObject({ ended: true });
  });

  it('T2: refuses unread input before it fills the memory', async () => {
    const name = fresh();
    await exec(name, 'stty raw -echo; sleep 77.215', 100);
    await untilAlive('77.215');
    const block = 'x'.repeat(60_000);
    const sendAll = async () => {
      for (let index = 0; index < 20; index++) await send(name, block, 0);
    };
    await expect(sendAll()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await kill(name);
  });

  it('T2: a fork bomb in a session ends with the session', async () => {
    const name = fresh();
    // The command also ends by itself, because the process provider has no limit.
    const bomb = `bash -c 'trap "" TERM; end=$((SECONDS + 20)); spread() { while [ $SECONDS -lt $end ]; do sleep 0.29216; [ $(pgrep -fc "0[.]29216") -lt 15 ] && spread & done; }; spread'`;
    await exec(name, `ulimit -u 4000; ${bomb}`, 1_500);
    const inTime = await kill(name).then(
      () => true,
      // On a busy machine, ending the command takes longer than the call's time limit, so it continues without the call.
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'TIMEOUT' });
        return false;
      },
    );
    if (inTime) expect(await isAlive('0.29216')).toBe(false);
    const left = async () => (await sandbox.shells({ signal })).map((session) => session.name);
    await expect.poll(left).not.toContain(name);
    await untilGone('0.29216');
  });

  it('T2: allows ten sessions and evicts the one that is idle longest, never a busy one', async () => {
    for (const { name } of await sandbox.shells({ signal })) await kill(name);
    await exec('busy', 'sleep 78.217', 200);
    for (let index = 1; index <= 9; index++) await exec(`idle${index}`, 'true');
    await view('idle1');
    await exec('one-more', 'true');
    const names = (await sandbox.shells({ signal })).map((session) => session.name);
    expect(names).toHaveLength(10);
    expect(names).toEqual(expect.arrayContaining(['busy', 'idle1', 'one-more']));
    await expect(view('idle2')).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      message: expect.stringContaining('least recently used'),
    });
    expect(await exec('idle2', 'echo again')).toMatchObject(done(0, 'again\n'));
    await Promise.all(Array.from({ length: 12 }, (_, index) => exec(`side${index}`, 'true')));
    expect(await sandbox.shells({ signal })).toHaveLength(10);
    for (const { name } of await sandbox.shells({ signal })) await kill(name);
  });

  it('T2: two concurrent first commands create one session', async () => {
    const name = fresh();
    const both = await Promise.allSettled([exec(name, 'sleep 5; echo a'), exec(name, 'sleep 5; echo b')]);
    expect(both.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await sandbox.shells({ signal })).filter((session) => session.name === name)).toHaveLength(1);
  });

  describe('terminal', () => {
    /** Marker that the shell writes after the output of each command. Terminals do not display it. */
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal code is what is looked for.
    const endMark = /\u001b\]5522;\d+\u0007/g;
    /** Returns the output of a terminal up to a match. */
    async function readUntil(name: string, wanted: RegExp, offset = 0): Promise<{ text: string; offset: number }> {
      const abort = new AbortController();
      const { stream, offset: from } = await sandbox.shellStream(name, { signal: abort.signal, offset });
      const timer = setTimeout(() => stream.destroy(new Error(`no ${wanted} in: ${text}`)), patienceMs);
      let bytes = Buffer.alloc(0);
      let text = '';
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytes = Buffer.concat([bytes, chunk]);
        text = bytes.toString('utf8').replaceAll(endMark, '');
        if (wanted.test(text)) break;
      }
      clearTimeout(timer);
      abort.abort();
      return { text, offset: from + bytes.length };
    }

    it('T2: is a raw shell with a prompt that accepts keys and has a size', async () => {
      const name = fresh();
      expect(await sandbox.openTerminal(name, { columns: 91, rows: 33 }, { signal })).toMatchObject({
        kind: 'terminal',
        running: true,
      });
      const { offset } = await readUntil(name, /[#$] $/);
      await send(name, 'stty size; echo $TERM\r', 0);
      expect((await readUntil(name, /xterm-256color/, offset)).text).toContain('33 91');
      await sandbox.openTerminal(name, { columns: 60, rows: 20 }, { signal });
      await send(name, 'stty size\r', 0);
      await readUntil(name, /20 60/, offset);
      await expect(exec(name, 'true')).rejects.toMatchObject({ code: 'SESSION_BUSY' });
      const whole = await sandbox.shellStream(name, { signal, offset: 0 });
      await send(name, 'exit 5\r', 0);
      let text = '';
      for await (const chunk of whole.stream as AsyncIterable<Buffer>) text += chunk.toString();
      expect(text).toContain('\u001b[');
      expect(await view(name)).toMatchObject({ ended: true, running: false, exitCode: 5 });
      expect((await view(name)).output).not.toContain('\u001b');
      await kill(name);
    });

    it('T2: streams the commands of a session from any offset', async () => {
      const name = fresh();
      await exec(name, 'echo one');
      const first = await readUntil(name, /\none\r\n/);
      expect(first.text).toMatch(/^\$ echo one\r\none\r\n/);
      const next = readUntil(name, /two\r\nthree\r\n/, first.offset);
      await exec(name, 'echo two; sleep 0.2; echo three');
      expect((await next).text).toMatch(/\$ echo two; sleep 0.2; echo three\r\ntwo\r\nthree\r\n/);
      await exec(name, 'head -c 600000 /dev/zero | tr "\\0" x; echo end');
      const late = await sandbox.shellStream(name, { signal, offset: first.offset });
      expect(late.offset).toBeGreaterThan(600_000 - 256 * 1024);
      late.stream.destroy();
      await kill(name);
    });

    it('T2: a reader that disconnects or does not read costs no memory', async () => {
      const name = fresh();
      await exec(name, 'yes', 200);
      const before = await daemonBytes();
      const slow = await Promise.all(Array.from({ length: 8 }, () => sandbox.shellStream(name, { signal, offset: 0 })));
      await delay(2_000);
      expect((await daemonBytes()) - before).toBeLessThan(100 * 1024 * 1024);
      for (const { stream } of slow) {
        stream.destroy();
        if (!stream.closed) await once(stream, 'close');
      }
      expect(await kill(name)).toMatchObject({ ended: true });
    });
  });

  it('refuses invalid names, offsets and bodies, and callers without the token', async () => {
    const body = JSON.stringify({ command: 'true', timeoutMs: 1_000 });
    for (const name of ['..%2f..', 'a%20b', '%00', 'x'.repeat(33), '-x']) {
      expect((await raw(test, 'POST', `/shells/${name}/exec`, { body })).status, name).toBe(400);
    }
    await exec('real', 'true');
    for (const offset of ['-1', 'x', '1.5'])
      expect((await raw(test, 'GET', `/shells/real/stream?offset=${offset}`)).status).toBe(400);
    expect((await raw(test, 'PUT', '/shells/real', { body: JSON.stringify({ columns: 0, rows: 1e9 }) })).status).toBe(400);
    expect(
      (await raw(test, 'POST', '/shells/real/exec', { body: JSON.stringify({ command: 'true', timeoutMs: -1 }) })).status,
    ).toBe(400);
    expect((await raw(test, 'POST', '/shells/real/exec', { body, authorization: null })).status).toBe(401);
    expect((await raw(test, 'GET', '/shells/nobody')).body).toContain('SESSION_NOT_FOUND');
    await kill('real');
  });

  it('gives a session neither the token nor a file of the daemon', async () => {
    const answer = await exec(fresh(), 'env; set; cat /proc/self/environ | tr "\\0" "\\n"; ls -l /proc/self/fd');
    expect(answer.output).not.toContain(test.token);
    expect(answer.output).not.toContain('ptmx');
    expect(answer.output).not.toMatch(/koda-shell-|sandboxd\.sock/);
  });
});
