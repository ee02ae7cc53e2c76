import { expect } from '@playwright/test';
import { projectSchema } from '#contract/project.ts';
import { scenePath } from '#kinds/film/contract/film.ts';
import { cubeFilm } from '../fixtures/cube-film.ts';
import { planOf } from '../fixtures/leading-model.ts';
import { finishedFilm, post, studioUrl } from './studio.ts';

/** Creates a project with a 3D film: a branch of the finished film with code for a rotating cube. Returns its id. */
export async function cubeProject(): Promise<string> {
  const { id } = projectSchema.parse(await post(`/api/projects/${await finishedFilm()}/branch`, {}));
  await post(`/api/projects/${id}/sandbox`);
  const { files } = cubeFilm({ task: 'create_scene', scenes: [1], components: [] }, planOf(['Cube']), []);
  expect(files.map(({ path }) => path)).toEqual([scenePath('scene-1'), 'src/film.ts']);
  for (const { path, content } of files) {
    const answer = await fetch(studioUrl(`/api/projects/${id}/files/${path}`), { method: 'PUT', body: content });
    expect(answer.ok, path).toBe(true);
  }
  return id;
}
