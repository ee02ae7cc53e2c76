import { film } from './film.ts';
import { Backdrop } from './kit/backdrop.tsx';
import './kit/fonts.css';
import { LightRig } from './kit/light-rig.tsx';
import { Stage } from './stage/stage.tsx';

function World() {
  return (
    <>
      <Backdrop />
      <LightRig />
      {film.scenes.map((scene) => (
        <scene.World key={scene.id} />
      ))}
    </>
  );
}

function Overlay() {
  return film.scenes.map((scene) => <scene.Overlay key={scene.id} />);
}

export default function App() {
  return <Stage film={film} world={<World />} overlay={<Overlay />} />;
}
