/** The number that links words, rows and scenes. */
export function SceneNumber({ number }: { number: number }) {
  return <span className="scene-number">{number}</span>;
}
