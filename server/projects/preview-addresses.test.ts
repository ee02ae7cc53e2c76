import { expect, it } from 'vitest';
import { newProject, tempStores } from '../../test/fixtures/storage.ts';
import { renewPreviewAddresses } from './preview-addresses.ts';

it('A15: after a change of the port, who had a live preview is told where it is now, and nobody else', async () => {
  using stores = tempStores();
  const { projects } = stores;
  const shown = await projects.create(newProject());
  const bare = await projects.create(newProject());
  await projects.record(shown.id, [{ type: 'preview.ready', url: `http://${shown.previewLabel}.localhost:3000/` }]);
  const told = async () => (await projects.state(shown.id)).seq;
  const renew = async () => {
    const all = [await projects.get(shown.id), await projects.get(bare.id)];
    await renewPreviewAddresses(projects, all, ({ previewLabel }) => `http://${previewLabel}.localhost:4000/`);
  };

  await renew();
  expect((await projects.get(shown.id)).previewUrl).toBe(`http://${shown.previewLabel}.localhost:4000/`);
  expect((await projects.get(bare.id)).previewUrl).toBeNull();

  const before = await told();
  await renew();
  expect(await told()).toBe(before);
});
