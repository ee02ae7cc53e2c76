import { film } from './film.ts';
import { Stage } from './stage/stage.tsx';

function Overlay() {
  return film.scenes.map((scene) => <scene.Overlay key={scene.id} />);
}

export default function App() {
  return <Stage film={film} loadWorld={() => import('./world.tsx')} overlay={<Overlay />} />;
}
