import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { post, studioUrl, untilStill } from './studio.ts';

/** Terminal queries whose responses would be typed into the shell, and control codes that affect more than the terminal. */
const hostile = [
  '\\e[c\\e[>c\\e[6n\\e[?6n\\e[5n\\e[18t\\e[?25$p\\eP$qm\\e\\\\',
  '\\e]10;?\\a\\e]11;?\\a\\e]4;1;?\\a\\e]4;1;#ffffff\\a',
  '\\e[?1004h\\e[?1000h\\e[?1003;1006h',
  '\\e]0;taken\\a\\e]2;taken\\a\\e]52;c;dGFrZW4=\\a',
  '\\e]8;;https://evil.example/\\ahere-is-a-link\\e]8;;\\a',
].join('');

// A trace would store the whole page whenever the terminal draws, which is often in a flood of output.
test.use({ trace: 'off' });

test.describe
  .serial('the terminal', () => {
    let page: Page;
    let projectId: string;
    const faults: string[] = [];

    test.beforeAll(async ({ browser }) => {
      const made = await post('/api/projects', { prompt: 'A red ball', name: 'A project for its terminal', start: false });
      projectId = projectSchema.parse(made).id;
      const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
      page = await context.newPage();
      page.on('pageerror', (error) => faults.push(error.message));
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    });
    test.afterAll(async () => {
      await page.context().close();
      await fetch(studioUrl(`/api/projects/${projectId}`), { method: 'DELETE' });
    });

    const screen = () => page.locator('.xterm-rows');
    const input = () => page.getByRole('textbox', { name: /terminal$/ });
    async function run(command: string): Promise<void> {
      await input().focus();
      await page.keyboard.type(command);
      await page.keyboard.press('Enter');
    }
    async function seriousFaults(part = 'body') {
      await untilStill(page);
      const { violations } = await new AxeBuilder({ page }).include(part).analyze();
      return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    }
    const connected = () => expect(page.getByRole('status').filter({ hasText: 'Connected' })).toBeVisible();

    test('T2 A13: starts a suspended sandbox and connects to its shell', async () => {
      await page.goto(studioUrl(`/p/${projectId}?tab=terminal`));
      await page.getByRole('button', { name: 'Start sandbox' }).click();
      await connected();
      await run('echo sum-$((20 + 22))');
      await expect(screen()).toContainText('sum-42');
      expect(await seriousFaults()).toEqual([]);
    });

    test('T2: announces output to screen readers on request, also after a reload', async () => {
      const choice = page.getByRole('button', { name: 'Announce output to screen readers' });
      await choice.click();
      await page.reload();
      await expect(choice).toHaveAttribute('aria-pressed', 'true');
      await connected();
      await run('echo spoken-$((1 + 2))');
      await expect(page.locator('.xterm-accessibility')).toContainText('spoken-3');
      expect(await seriousFaults('.xterm')).toEqual([]);
      await choice.click();
      await expect(page.locator('.xterm-accessibility')).toBeHidden();
    });

    test('T2: keys that are typed quickly arrive in order', async () => {
      const text = Array.from({ length: 40 }, (_, index) => index.toString(36)).join('');
      await run(`echo '${text}' | rev`);
      await expect(screen()).toContainText([...text].reverse().join(''));
    });

    test('T2: a reload keeps the shell and its output', async () => {
      await run('marker=kept-$((6 * 7))');
      await page.reload();
      await connected();
      await expect(screen()).toContainText('sum-42');
      await run('echo "$marker"');
      await expect(screen()).toContainText('kept-42');
    });

    test('T2: keys sent while leaving the page arrive once and in order', async () => {
      // Simulates a network so slow that the page closes before any response arrives.
      await page.evaluate(`{
        const inTime = window.fetch;
        let first = true;
        window.fetch = (path, init) => {
          if (!String(path).endsWith('/input') || init.keepalive) return inTime(path, init);
          if (first) void inTime(path, init);
          first = false;
          return new Promise(() => undefined);
        };
      }`);
      await run('echo left-$((5 * 5))-behind');
      await page.reload();
      await connected();
      await expect(screen()).toContainText('left-25-behind');
      expect((await screen().textContent())?.match(/e+cho left-\$/g)).toEqual(['echo left-$']);
    });

    test('T2: the shell has the size of the terminal', async () => {
      await run('clear; echo "before=$(tput cols)."');
      await expect(screen()).toContainText(/before=\d+\./);
      const columns = async (word: string) =>
        Number(new RegExp(`${word}=(\\d+)\\.`).exec((await screen().textContent()) ?? '')?.[1]);
      const before = await columns('before');
      await page.setViewportSize({ width: 1000, height: 700 });
      await expect
        .poll(async () => {
          await run('clear; echo "after=$(tput cols)."');
          await expect(screen()).toContainText(/after=\d+\./);
          return await columns('after');
        })
        .toBeLessThan(before);
      await page.setViewportSize({ width: 1440, height: 900 });
    });

    test('T2: program output is displayed and has no other effect', async () => {
      const title = await page.title();
      await page.evaluate('navigator.clipboard.writeText("mine")');
      const opened: string[] = [];
      page.context().on('page', (other) => opened.push(other.url()));
      page.on('dialog', (dialog) => {
        opened.push(dialog.message());
        void dialog.dismiss();
      });
      await run(`clear; printf '${hostile}'; IFS= read -rsn1 -t 2 key && echo; echo "key:\${#key}."`);
      await expect(screen()).toContainText('here-is-a-link');
      await screen().getByText('here-is-a-link').click({ force: true });
      await expect(screen()).toContainText('key:0.');
      expect(await page.title()).toBe(title);
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe('mine');
      expect(opened).toEqual([]);
    });

    test('T2: shows ten megabytes of output and then runs the next command', async () => {
      await run('clear; head -c 7800000 /dev/zero | base64 -w 60; echo flood-$((1 + 1))');
      await expect(screen()).toContainText('flood-2', { timeout: 600_000 });
      await run('echo still-$((2 + 2))');
      await expect(screen()).toContainText('still-4');
    });

    test('T2: pastes and copies plain text', async () => {
      await run('clear');
      await page.evaluate('navigator.clipboard.writeText("echo pasted-$((3 * 3))\\u001b[201~")');
      await input().focus();
      await page.keyboard.press('Control+v');
      await expect(screen()).toContainText('echo pasted-$((3 * 3))[201~');
      await page.keyboard.press('Control+c');
      // The shell loses keys that arrive while it drops its line.
      await expect(screen()).toContainText(/\^C\s*\/workspace\s\$/);
      await run('echo copied-$((4 * 4))');
      await screen().getByText('copied-16', { exact: true }).dblclick({ force: true });
      await page.keyboard.press('Control+c');
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('copied-16');
    });

    test('T2: Escape and Tab leave the terminal', async () => {
      await input().focus();
      await page.keyboard.press('Tab');
      await expect(input()).toBeFocused();
      await expect(input()).toHaveAccessibleDescription('Esc, then Tab leaves the terminal');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Shift+Tab');
      await expect(input()).not.toBeFocused();
    });

    test('T2: opens up to four separate shells and restarts an ended one', async () => {
      for (const number of [2, 3, 4]) {
        await page.getByRole('button', { name: 'New shell' }).click();
        await expect(page.getByRole('tab', { name: `Shell ${number}` })).toHaveAttribute('aria-selected', 'true');
        await expect(input()).toBeFocused();
        await connected();
        await run(`echo number-${number}-$((1 + 1))`);
        await expect(screen()).toContainText(`number-${number}-2`);
      }
      await expect(page.getByRole('button', { name: 'Up to four shells can be open. Close one first.' })).toBeDisabled();
      await page.getByRole('tab', { name: 'Shell 2' }).click();
      await expect(screen()).toContainText('number-2-2');
      await expect(screen()).not.toContainText('number-4');
      await page.getByRole('button', { name: 'Close Shell 2' }).click();
      await expect(page.getByRole('tab', { name: 'Shell 2' })).toBeHidden();
      await expect(page.getByRole('tab', { name: 'Shell 3' })).toHaveAttribute('aria-selected', 'true');

      await connected();
      await run('exit 7');
      await expect(page.getByText('The shell has ended (exit code 7).')).toBeVisible();
      await page.getByRole('button', { name: 'Start again' }).click();
      await connected();
      await expect(screen()).toContainText('new shell');
      await run('echo again-$((5 + 5))');
      await expect(screen()).toContainText('again-10');
    });

    test('T2: input typed offline arrives once after reconnecting, and a lost stream recovers', async () => {
      const offline = (is: boolean) => page.context().setOffline(is);
      await offline(true);
      const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/input'));
      await run('clear; echo offline-$((7 + 7))');
      await refused;
      await expect(screen()).not.toContainText('offline-14');
      await offline(false);
      await expect(screen()).toContainText('offline-14');
      expect((await screen().textContent())?.match(/offline-14/g)).toHaveLength(1);

      await page.getByRole('tab', { name: 'Storyboard' }).click();
      await offline(true);
      await page.getByRole('tab', { name: 'Terminal' }).click();
      await expect(page.getByText('Connection lost. Reconnecting; the shell keeps running.')).toBeVisible();
      await offline(false);
      await connected();
      await page.getByRole('tab', { name: 'Shell 3' }).click();
      await expect(screen()).toContainText('offline-14');
    });

    test('T2: the page throws no errors', () => {
      expect(faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED|503|404/.test(fault))).toEqual([]);
    });
  });
