import * as THREE from 'three';
import { height, width } from './kit.ts';

/** Adds a canvas of the scene's size with a renderer, configured as in the product's own stage. */
export function addRenderer(root: HTMLElement): THREE.WebGLRenderer {
  const canvas = document.createElement('canvas');
  canvas.style.cssText = `position: absolute; left: 0; top: 0; width: ${width}px; height: ${height}px;`;
  root.append(canvas);
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: false, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height, false);
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
  return renderer;
}

export function perspective(fieldOfViewDegrees: number): THREE.PerspectiveCamera {
  return new THREE.PerspectiveCamera(fieldOfViewDegrees, width / height, 0.1, 200);
}

/** Adds a sun that casts shadows over a square of `extent` units around the origin. */
export function addSun(
  scene: THREE.Scene,
  options: { intensity: number; mapSize: number; extent: number },
): THREE.DirectionalLight {
  const sun = new THREE.DirectionalLight(0xfff1dd, options.intensity);
  sun.position.set(6, 12, 8);
  sun.castShadow = true;
  sun.shadow.mapSize.set(options.mapSize, options.mapSize);
  Object.assign(sun.shadow.camera, {
    left: -options.extent,
    right: options.extent,
    top: options.extent,
    bottom: -options.extent,
    near: 1,
    far: 40,
  });
  scene.add(sun);
  return sun;
}
