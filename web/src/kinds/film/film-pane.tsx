import { FieldOutline, FilmEditor } from './editor/film-editor.tsx';
import { LivePreview } from './preview/live-preview.tsx';

export default function FilmPane() {
  return <LivePreview Frame={FilmEditor} Overlay={FieldOutline} />;
}
