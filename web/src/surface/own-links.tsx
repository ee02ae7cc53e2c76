import { Fragment, useContext } from 'react';
import { OriginContext } from '../project/origin.ts';
import { useProjectName } from '../project/project-name.ts';
import { projectHref } from '../router.ts';
import { Link } from '../ui/elements.tsx';

const ownPage = /(?<![\w/.:-])\/(?:p\/(prj_[a-z0-9]{16,32})|schedules)(?![\w/-])/g;

const look = 'text-accent-text underline underline-offset-2';

/** Draws a text whose addresses of the studio's own pages are links. Nothing else in it is a link. */
export function OwnLinks({ text }: { text: string }) {
  const found = [...text.matchAll(ownPage)];
  return (
    <>
      {found.map(({ 0: address, 1: projectId, index }, place) => {
        const before = found[place - 1];
        const from = before === undefined ? 0 : before.index + before[0].length;
        return (
          <Fragment key={index}>
            {text.slice(from, index)}
            {projectId === undefined ? (
              <Link href={address} className={look}>
                Schedules
              </Link>
            ) : (
              <ProjectLink projectId={projectId} />
            )}
          </Fragment>
        );
      })}
      {text.slice(found.reduce((_, { 0: address, index }) => index + address.length, 0))}
    </>
  );
}

/** The name is the project's own, whatever the text says. */
function ProjectLink({ projectId }: { projectId: string }) {
  const { data } = useProjectName(projectId);
  const from = useContext(OriginContext);
  return (
    <Link href={projectHref(projectId, from)} className={look}>
      {data === undefined ? projectHref(projectId) : `“${data}”`}
    </Link>
  );
}
