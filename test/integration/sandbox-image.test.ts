import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const docker = process.env['DOCKER'] ?? '/usr/bin/docker';
const image = process.env['KODA_SANDBOX_IMAGE'] ?? 'koda-sandbox:latest';

async function inLockedContainer(command: string): Promise<string> {
  const { stdout } = await run(
    docker,
    [
      ...['run', '--rm', '--init', '--network', 'none', '--read-only', '--cap-drop', 'ALL', '--user', '1000:1000'],
      ...['--security-opt', 'no-new-privileges', '--memory', '4g', '--pids-limit', '1024', '--shm-size', '1g'],
      ...['--tmpfs', '/tmp:size=256m,mode=1777', '--tmpfs', '/run', '--tmpfs', '/home/node:uid=1000', '--env', 'HOME=/home/node'],
      ...[image, 'bash', '-c', command],
    ],
    { maxBuffer: 16 * 1024 * 1024 },
  );
  return stdout;
}

describe('the sandbox image', () => {
  it('A14: contains Node, FFmpeg with the encoders of the presets, git, ripgrep, fonts and the daemon', async () => {
    const found = await inLockedContainer(`
      node --version; git --version; rg --version | head -1; id -u
      ffmpeg -hide_banner -encoders 2>/dev/null | grep -oE '\\b(libx264|libvpx-vp9|prores_ks) ' | sort -u
      espeak-ng --version
      fc-match 'sans:lang=zh' family; fc-match emoji family
      test -s /opt/koda/sandboxd.mjs && echo daemon
    `);
    for (const part of [
      /^v2[2-9]\./m,
      /^git version/m,
      /^ripgrep/m,
      /^1000$/m,
      /^libx264 /m,
      /^libvpx-vp9 /m,
      /^prores_ks /m,
      /^eSpeak NG/m,
    ]) {
      expect(found).toMatch(part);
    }
    expect(found).toMatch(/Noto Color Emoji/);
    expect(found).toMatch(/^daemon$/m);
  });

  it('M14: starts the daemon without the debugger that a signal opens', async () => {
    const { stdout } = await run(docker, ['image', 'inspect', image, '--format', '{{json .Config.Cmd}}']);
    expect(JSON.parse(stdout).slice(0, 2)).toEqual(['node', '--disable-sigusr1']);
  });

  it('A14: contains the film template with its dependencies, so that a project needs no network', async () => {
    const missing = await inLockedContainer(`
      cd /opt/koda/templates/film && node -e "
        const { existsSync, readFileSync } = require('node:fs');
        const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
        const names = Object.keys({ ...dependencies, ...devDependencies });
        console.log(names.length, names.filter((name) => !existsSync('node_modules/' + name + '/package.json')).join(' '));
      "`);
    const [count = '0', ...names] = missing.trim().split(' ');
    expect(Number(count)).toBeGreaterThan(5);
    expect(names).toEqual([]);
  });

  it('A14: draws WebGL with Mesa in headless Chromium, without network, capabilities or a writable root', async () => {
    const page = `<body><script>
      const context = document.createElement('canvas').getContext('webgl2');
      const info = context && context.getExtension('WEBGL_debug_renderer_info');
      document.title = context ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : 'no WebGL';
    </script>`;
    const dom = await inLockedContainer(`
      echo '${Buffer.from(page).toString('base64')}' | base64 -d >/tmp/page.html
      LIBGL_ALWAYS_SOFTWARE=1 EGL_PLATFORM=surfaceless "$KODA_CHROMIUM" --no-sandbox --use-gl=angle --use-angle=gles-egl \
        --ignore-gpu-blocklist --disable-gpu-compositing --user-data-dir=/tmp/profile --dump-dom file:///tmp/page.html 2>/dev/null`);
    expect(dom).toMatch(/<title>.*llvmpipe/);
  });
});
