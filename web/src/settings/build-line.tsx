import build from 'virtual:build';
import { texts } from '../texts.ts';

/** When this page was built, and of what. */
export default function BuildLine() {
  return <span className="text-ink-2">, {texts.settings.about.build(build.date, build.commit)}</span>;
}
