import * as THREE from 'three';
import { randomFrom } from './kit.ts';
import { addRenderer, addSun, perspective } from './world.ts';

/** A lit ball bouncing among fifty cubes, with shadows: a scene of the size that a prompt usually produces. */

const cubeCount = 50;

const scene = new THREE.Scene();
const camera = perspective(40);
const cubes: { mesh: THREE.Mesh; phase: number; y: number }[] = [];
const ball = new THREE.Mesh(
  new THREE.SphereGeometry(1.2, 48, 32),
  new THREE.MeshStandardMaterial({ color: 0xe63946, roughness: 0.35 }),
);
let renderer: THREE.WebGLRenderer;

export async function mount(root: HTMLElement): Promise<void> {
  renderer = addRenderer(root);
  scene.background = new THREE.Color(0x101a33);
  scene.add(new THREE.HemisphereLight(0xbfd4ff, 0x30261a, 1.1));
  addSun(scene, { intensity: 2.4, mapSize: 1024, extent: 12 });
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(60, 60), new THREE.MeshStandardMaterial({ color: 0x2b3a67 }));
  ground.rotation.x = -Math.PI / 2;
  ground.receiveShadow = true;
  ball.castShadow = true;
  scene.add(ground, ball);
  const random = randomFrom(3);
  const geometry = new THREE.BoxGeometry(0.8, 0.8, 0.8);
  for (let index = 0; index < cubeCount; index++) {
    const material = new THREE.MeshStandardMaterial({ color: new THREE.Color().setHSL(random(), 0.65, 0.55), roughness: 0.6 });
    const mesh = new THREE.Mesh(geometry, material);
    const angle = random() * Math.PI * 2;
    const distance = 3 + random() * 6;
    const y = 0.6 + random() * 2.5;
    mesh.position.set(Math.cos(angle) * distance, y, Math.sin(angle) * distance);
    mesh.castShadow = true;
    mesh.receiveShadow = true;
    scene.add(mesh);
    cubes.push({ mesh, phase: random() * Math.PI * 2, y });
  }
  draw(0);
}

export function draw(seconds: number): void {
  const hop = Math.abs(Math.sin(seconds * Math.PI));
  ball.position.set(Math.sin(seconds * 0.8) * 2, 1.2 + hop * 2.4, Math.cos(seconds * 0.8) * 2);
  for (const { mesh, phase, y } of cubes) {
    mesh.rotation.set(seconds * 1.1 + phase, seconds * 0.7 + phase, 0);
    mesh.position.y = y + Math.sin(seconds * 2 + phase) * 0.3;
  }
  camera.position.set(Math.sin(seconds * 0.3) * 14, 7, Math.cos(seconds * 0.3) * 14);
  camera.lookAt(0, 1.5, 0);
  renderer.render(scene, camera);
}
