import * as THREE from 'three';
import { randomFrom } from './kit.ts';
import { addRenderer, addSun, perspective } from './world.ts';

/**
 * Hundreds of thousands of triangles, physical materials, two lights with shadows, fog: heavy for a rasteriser without a GPU.
 */

const instanceCount = 400;

const scene = new THREE.Scene();
const camera = perspective(45);
const spot = new THREE.SpotLight(0x7fb8ff, 900, 60, 0.6, 0.5);
const knot = new THREE.Mesh(
  new THREE.TorusKnotGeometry(2.6, 0.8, 300, 32),
  new THREE.MeshPhysicalMaterial({ color: 0xffb703, metalness: 0.6, roughness: 0.25, clearcoat: 1, clearcoatRoughness: 0.1 }),
);
const bodies = new THREE.InstancedMesh(
  new THREE.IcosahedronGeometry(0.42, 3),
  new THREE.MeshStandardMaterial({ roughness: 0.45, metalness: 0.2 }),
  instanceCount,
);
const orbits: { radius: number; y: number; phase: number; speed: number; size: number }[] = [];
let renderer: THREE.WebGLRenderer;

export async function mount(root: HTMLElement): Promise<void> {
  renderer = addRenderer(root);
  scene.background = new THREE.Color(0x0a0d18);
  scene.fog = new THREE.Fog(0x0a0d18, 14, 42);
  scene.add(new THREE.HemisphereLight(0x99aaff, 0x221100, 0.7));
  addSun(scene, { intensity: 2, mapSize: 1024, extent: 14 });
  spot.castShadow = true;
  spot.shadow.mapSize.set(1024, 1024);
  scene.add(spot, spot.target);
  const ground = new THREE.Mesh(
    new THREE.PlaneGeometry(80, 80),
    new THREE.MeshStandardMaterial({ color: 0x1d2b53, roughness: 0.8 }),
  );
  ground.rotation.x = -Math.PI / 2;
  ground.position.y = -4;
  ground.receiveShadow = true;
  for (const mesh of [knot, bodies]) {
    mesh.castShadow = true;
    mesh.receiveShadow = true;
  }
  scene.add(ground, knot, bodies);
  const random = randomFrom(11);
  const colour = new THREE.Color();
  for (let index = 0; index < instanceCount; index++) {
    orbits.push({
      radius: 5 + random() * 9,
      y: -3 + random() * 8,
      phase: random() * Math.PI * 2,
      speed: 0.2 + random() * 0.7,
      size: 0.5 + random() * 0.9,
    });
    bodies.setColorAt(index, colour.setHSL(random(), 0.7, 0.55));
  }
  bodies.frustumCulled = false;
  draw(0);
}

const dummy = new THREE.Object3D();

export function draw(seconds: number): void {
  orbits.forEach(({ radius, y, phase, speed, size }, index) => {
    const angle = phase + seconds * speed;
    dummy.position.set(Math.cos(angle) * radius, y + Math.sin(seconds * 1.5 + phase) * 0.4, Math.sin(angle) * radius);
    dummy.scale.setScalar(size);
    dummy.updateMatrix();
    bodies.setMatrixAt(index, dummy.matrix);
  });
  bodies.instanceMatrix.needsUpdate = true;
  knot.rotation.set(seconds * 0.6, seconds * 0.9, 0);
  spot.position.set(Math.cos(seconds) * 12, 14, Math.sin(seconds) * 12);
  camera.position.set(Math.sin(seconds * 0.25) * 19, 5 + Math.sin(seconds * 0.5) * 2, Math.cos(seconds * 0.25) * 19);
  camera.lookAt(0, 0, 0);
  renderer.render(scene, camera);
}
