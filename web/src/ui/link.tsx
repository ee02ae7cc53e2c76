import type { ComponentProps, MouseEvent } from 'react';
import { navigate } from '../router.ts';

/** A link inside the studio: no page load, but a real address that opens in a new tab as well. */
export function Link({ href, onClick, ...props }: ComponentProps<'a'> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} {...props} />;
}
