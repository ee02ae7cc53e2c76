import { add, addStyle, clamp01, height, lerp, loadFont, loadImage, width } from './kit.ts';

/** Large images that pan, zoom and cross-fade, a strip of small ones, and a clip drawn frame by frame. */

const photoCount = 6;
const photoSeconds = 1;
const fadeSeconds = 0.4;
const thumbnailCount = 10;
const clipFrames = 60;
const clipFps = 30;

const photos: HTMLImageElement[] = [];
const clip: HTMLImageElement[] = [];
let strip: HTMLElement;
let caption: HTMLElement;
let context: CanvasRenderingContext2D;

export const assetNames: readonly string[] = [
  ...Array.from({ length: photoCount }, (_, index) => photoName(index)),
  ...Array.from({ length: clipFrames }, (_, index) => clipName(index)),
];

function photoName(index: number): string {
  return `photo-${index}.jpg`;
}

function clipName(index: number): string {
  return `clip-${String(index + 1).padStart(3, '0')}.jpg`;
}

export async function mount(root: HTMLElement, assetUrl: (name: string) => string): Promise<void> {
  addStyle(
    root,
    `
    .album { position: absolute; inset: 0; overflow: hidden; background: #000; font-family: Bench; color: #fff; }
    .album .photo { position: absolute; left: 0; top: 0; width: ${width}px; height: ${height}px; object-fit: cover; will-change: transform, opacity; }
    .album .strip { position: absolute; left: 0; bottom: 50px; display: flex; gap: 24px; }
    .album .strip img { width: 280px; height: 180px; object-fit: cover; border-radius: 14px; box-shadow: 0 10px 30px #000a; }
    .album canvas { position: absolute; right: 90px; top: 90px; width: 720px; height: 405px; border-radius: 20px; box-shadow: 0 20px 60px #000c; }
    .album .caption { position: absolute; left: 90px; top: 90px; font-size: 84px; font-weight: 800; text-shadow: 0 4px 24px #000; }
  `,
  );
  await loadFont(assetUrl);
  const scene = add(root, 'album');
  const load = (name: string) => loadImage(assetUrl(name));
  photos.push(...(await Promise.all(Array.from({ length: photoCount }, (_, index) => load(photoName(index))))));
  clip.push(...(await Promise.all(Array.from({ length: clipFrames }, (_, index) => load(clipName(index))))));
  for (const photo of photos) {
    photo.className = 'photo';
    scene.append(photo);
  }
  strip = add(scene, 'strip');
  const thumbnails = await Promise.all(Array.from({ length: thumbnailCount }, (_, index) => load(photoName(index % photoCount))));
  strip.append(...thumbnails);
  const canvas = document.createElement('canvas');
  canvas.width = 640;
  canvas.height = 360;
  scene.append(canvas);
  const created = canvas.getContext('2d');
  if (!created) throw new Error('There is no 2D canvas.');
  context = created;
  caption = add(scene, 'caption');
}

export function draw(seconds: number): void {
  const current = Math.floor(seconds / photoSeconds);
  photos.forEach((photo, index) => {
    // The next image overlays the current one while it fades in.
    const turn = [current, current + 1].find((candidate) => candidate % photoCount === index);
    photo.style.visibility = turn === undefined ? 'hidden' : 'visible';
    if (turn === undefined) return;
    const age = seconds - turn * photoSeconds;
    photo.style.zIndex = turn === current ? '0' : '1';
    photo.style.opacity = String(turn === current ? 1 : clamp01((age + fadeSeconds) / fadeSeconds));
    const progress = (age + fadeSeconds) / (photoSeconds + fadeSeconds);
    const side = index % 2 === 0 ? 1 : -1;
    photo.style.transform = `scale(${lerp(1.08, 1.3, progress)}) translate(${side * lerp(-2, 3, progress)}%, ${lerp(1.5, -1.5, progress)}%)`;
  });
  for (const element of [strip, caption, context.canvas]) element.style.zIndex = '2';
  strip.style.transform = `translateX(${-seconds * 160}px)`;
  const frame = clip[Math.round(seconds * clipFps) % clipFrames];
  if (frame) context.drawImage(frame, 0, 0);
  caption.textContent = `Picture ${current + 1}`;
}
