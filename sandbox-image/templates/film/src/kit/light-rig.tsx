import { useThree } from '@react-three/fiber';
import { useLayoutEffect } from 'react';
import { BackSide, BoxGeometry, Color, Mesh, MeshBasicMaterial, NeutralToneMapping, PMREMGenerator, Scene } from 'three';
import { useFilm } from '../stage/contexts.ts';
import { luminance, mix } from './color.ts';
import { looks } from './look.ts';

interface Softbox {
  readonly position: readonly [number, number, number];
  readonly size: readonly [number, number, number];
  readonly brightness: number;
}
const softboxes: readonly Softbox[] = [
  { position: [-6, 6, 5], size: [5, 0.1, 4], brightness: 9 },
  { position: [7, 2, 3], size: [0.1, 5, 3], brightness: 2.2 },
  { position: [0, 8, -4], size: [8, 0.1, 2.5], brightness: 4 },
];

/** Returns the background as reflected light, mostly grey, so that a strong colour does not desaturate the subject. */
function neutral(ground: string): string {
  const level = Math.round(255 * luminance(ground) ** (1 / 2.2));
  const grey = `#${level.toString(16).padStart(2, '0').repeat(3)}`;
  return mix(ground, grey, 0.7);
}

/** Builds the reflected studio, a tinted room with softboxes, in code, so that nothing is fetched. */
function buildStudio(wall: string, floor: string): Scene {
  const scene = new Scene();
  const box = new BoxGeometry(1, 1, 1);
  const add = (
    color: Color,
    side: typeof BackSide | undefined,
    size: readonly [number, number, number],
    position: readonly [number, number, number],
  ) => {
    const mesh = new Mesh(box, new MeshBasicMaterial(side === undefined ? { color } : { color, side }));
    mesh.scale.set(...size);
    mesh.position.set(...position);
    scene.add(mesh);
  };
  add(new Color(wall).multiplyScalar(0.9), BackSide, [24, 18, 24], [0, 3, 0]);
  add(new Color(floor).multiplyScalar(0.8), undefined, [24, 0.1, 24], [0, -5, 0]);
  for (const { position, size, brightness } of softboxes)
    add(new Color('#ffffff').multiplyScalar(brightness), undefined, size, position);
  return scene;
}

/**
 * Lights the whole film with one rig, so that the light does not jump at a cut: key from the upper left (the only light that
 * casts shadows), fill from sky and floor, rim from behind, and the reflected studio.
 */
export function LightRig() {
  const { theme, view } = useFilm();
  const look = looks[theme.style];
  const { gl, scene } = useThree();

  useLayoutEffect(() => {
    // The Khronos neutral curve keeps requested colours; ACES turns orange into mustard. The cinematic style gets its
    // contrast from its light: little fill, a strong rim.
    gl.toneMapping = NeutralToneMapping;
    gl.toneMappingExposure = look.exposure;
    const generator = new PMREMGenerator(gl);
    const target = generator.fromScene(
      buildStudio(neutral(theme.palette.backgroundTop), neutral(theme.palette.backgroundBottom)),
      0.04,
      0.1,
      60,
      {
        size: 128,
      },
    );
    scene.environment = target.texture;
    scene.environmentIntensity = look.studio;
    return () => {
      scene.environment = null;
      target.dispose();
      generator.dispose();
    };
  }, [gl, scene, theme, look]);

  const reach = Math.max(view.width, view.height) * 0.62;
  return (
    <>
      <hemisphereLight
        args={[mix(neutral(theme.palette.backgroundTop), '#ffffff', 0.6), neutral(theme.palette.backgroundBottom), look.fill]}
      />
      <directionalLight
        position={[-5, 9, 7]}
        color={look.key.color}
        intensity={look.key.intensity}
        castShadow
        shadow-mapSize={[1024, 1024]}
        shadow-camera-left={-reach}
        shadow-camera-right={reach}
        shadow-camera-top={reach}
        shadow-camera-bottom={-reach}
        shadow-camera-near={0.5}
        shadow-camera-far={40}
        shadow-radius={6}
        shadow-bias={-0.0004}
        shadow-normalBias={0.03}
      />
      <directionalLight position={[5, 5, -7]} color={look.rim.color} intensity={look.rim.intensity} />
    </>
  );
}
