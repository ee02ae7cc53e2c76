import { Box3, type Camera, Mesh, type Object3D, Vector3 } from 'three';

export interface VisibleBody {
  /** Scene id and name of the body's keyframes. */
  readonly scene: string;
  readonly name: string;
  readonly inside: number;
  readonly opacity: number;
}

/** Scenes with more bodies, such as particle fields, are not reported body by body. */
const maxVisibleBodies = 400;

export function visibleCast(world: Object3D, camera: Camera): VisibleBody[] {
  const found: VisibleBody[] = [];
  const visit = (object: Object3D, scene: string): void => {
    if (!object.visible || found.length >= maxVisibleBodies) return;
    if (object.userData['castBody'] === true)
      found.push({ scene, name: object.name, inside: insideShare(object, camera), opacity: opacityOf(object) });
    else for (const child of object.children) visit(child, object.userData['castScene'] === true ? object.name : scene);
  };
  visit(world, '');
  return found;
}

function insideShare(object: Object3D, camera: Camera): number {
  const box = new Box3().setFromObject(object);
  if (box.isEmpty()) return 0;
  const corners = [box.min, box.max].flatMap(({ x }) =>
    [box.min, box.max].flatMap(({ y }) => [box.min, box.max].map(({ z }) => new Vector3(x, y, z).project(camera))),
  );
  const along = (axis: 'x' | 'y'): number => {
    const [from, until] = [Math.min(...corners.map((one) => one[axis])), Math.max(...corners.map((one) => one[axis]))];
    return Math.max(0, Math.min(1, until) - Math.max(-1, from)) / Math.max(1e-6, until - from);
  };
  return along('x') * along('y');
}

/** Returns the opacity of its most opaque material. */
function opacityOf(object: Object3D): number {
  let most = 0;
  object.traverseVisible((part) => {
    if (!(part instanceof Mesh)) return;
    const materials = Array.isArray(part.material) ? part.material : [part.material];
    for (const { opacity } of materials) most = Math.max(most, Number(opacity));
  });
  return most;
}
