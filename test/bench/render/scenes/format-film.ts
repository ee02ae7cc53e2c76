/** The product's built page of a format, in a frame whose page has a clock of its own, as for a reference screenshot. */

interface FilmWindow extends Window {
  readonly __exportReady?: boolean;
  readonly __exportError?: string | null;
  __exportSeekTo?(seconds: number): void;
}

const pollMs = 10;

let film: FilmWindow | null = null;

export async function mount(root: HTMLElement, assetUrl: (name: string) => string): Promise<void> {
  const frame = document.createElement('iframe');
  Object.assign(frame.style, { position: 'absolute', border: '0', width: '100%', height: '100%' });
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  frame.src = `${assetUrl('../koda/index.html')}?export`;
  root.append(frame);
  await loaded;
  film = frame.contentWindow;
  while (!film?.__exportReady) {
    if (film?.__exportError) throw new Error(String(film.__exportError));
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

export function draw(seconds: number): void {
  film?.__exportSeekTo?.(seconds);
}
