import * as THREE from 'three';
import { add, addStyle, easeOut, loadFont, randomFrom } from './kit.ts';
import { addRenderer, addSun, perspective } from './world.ts';

/** A WebGL canvas that fills the frame, below text, counters and translucent panels in HTML. */

const pointCount = 4000;
const panelTitles = ['Renders', 'Frames', 'Seconds saved'];

const scene = new THREE.Scene();
const camera = perspective(40);
const points = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ size: 0.07, vertexColors: true }));
const torus = new THREE.Mesh(
  new THREE.TorusGeometry(2.6, 0.9, 48, 128),
  new THREE.MeshStandardMaterial({ color: 0x4cc9f0, roughness: 0.3, metalness: 0.3 }),
);
const panels: { element: HTMLElement; value: HTMLElement; delaySeconds: number; target: number }[] = [];
let renderer: THREE.WebGLRenderer;
let headline: HTMLElement;
let ticker: HTMLElement;

export async function mount(root: HTMLElement, assetUrl: (name: string) => string): Promise<void> {
  addStyle(
    root,
    `
    .overlay { position: absolute; inset: 0; overflow: hidden; font-family: Bench; color: #fff; }
    .overlay .headline { position: absolute; left: 110px; top: 120px; font-size: 130px; font-weight: 800; letter-spacing: -0.03em; text-shadow: 0 8px 30px #0009; }
    .overlay .panel { position: absolute; top: 700px; width: 480px; height: 220px; padding: 34px; box-sizing: border-box; border-radius: 28px; border: 2px solid #fff4; background: linear-gradient(160deg, #ffffff38, #ffffff12); box-shadow: 0 20px 50px #0007; }
    .overlay .panel .name { font-size: 30px; opacity: 0.8; }
    .overlay .panel .value { font-size: 92px; font-weight: 800; font-variant-numeric: tabular-nums; }
    .overlay .ticker { position: absolute; left: 0; bottom: 40px; font-size: 34px; font-weight: 500; white-space: pre; color: #cfe8ff; }
  `,
  );
  await loadFont(assetUrl);
  renderer = addRenderer(root);
  scene.background = new THREE.Color(0x14082e);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x332244, 1));
  addSun(scene, { intensity: 2, mapSize: 1024, extent: 8 });
  torus.castShadow = true;
  torus.receiveShadow = true;
  const random = randomFrom(5);
  const positions = new Float32Array(pointCount * 3);
  const colours = new Float32Array(pointCount * 3);
  const colour = new THREE.Color();
  for (let index = 0; index < pointCount; index++) {
    positions.set([(random() - 0.5) * 26, (random() - 0.5) * 14, (random() - 0.5) * 26], index * 3);
    colour.setHSL(0.5 + random() * 0.35, 0.8, 0.65).toArray(colours, index * 3);
  }
  points.geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3));
  points.geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3));
  scene.add(points, torus);
  const overlay = add(root, 'overlay');
  headline = add(overlay, 'headline', 'Both worlds at once');
  panelTitles.forEach((title, index) => {
    const element = add(overlay, 'panel');
    element.style.left = `${110 + index * 580}px`;
    add(element, 'name', title);
    panels.push({
      element,
      value: add(element, 'value'),
      delaySeconds: 0.2 + index * 0.25,
      target: [1280, 86400, 312][index] ?? 0,
    });
  });
  ticker = add(overlay, 'ticker', 'canvas below · HTML above · one frame for both · '.repeat(6));
  draw(0);
}

export function draw(seconds: number): void {
  torus.rotation.set(seconds * 0.9, seconds * 0.6, 0);
  torus.position.set(3.2 + Math.sin(seconds), Math.sin(seconds * 1.7) * 0.5, 0);
  points.rotation.y = seconds * 0.25;
  camera.position.set(Math.sin(seconds * 0.4) * 3, 1.5, 12);
  camera.lookAt(0, 0, 0);
  renderer.render(scene, camera);
  headline.style.transform = `translateX(${Math.sin(seconds * 1.2) * 30}px)`;
  for (const { element, value, delaySeconds, target } of panels) {
    const shown = easeOut((seconds - delaySeconds) / 0.8);
    element.style.transform = `translateY(${(1 - shown) * 300 + Math.sin(seconds * 2 + delaySeconds * 8) * 8}px)`;
    value.textContent = Math.round(easeOut((seconds - delaySeconds) / 3) * target).toLocaleString('en-US');
  }
  ticker.style.transform = `translateX(${-seconds * 220}px)`;
}
