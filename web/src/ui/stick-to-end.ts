import { useEffect, useRef, useState } from 'react';

/** Distance from the end that counts as being at the end, in CSS pixels. */
const nearEnd = 48;

/** Keeps the end in view while the content grows or its box shrinks, unless the person has scrolled away from it. */
export function useStickToEnd<Box extends HTMLElement = HTMLDivElement>() {
  const scrollBox = useRef<Box>(null);
  const content = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const stick = useRef(true);
  useEffect(() => {
    const box = scrollBox.current;
    if (!box || !content.current) return;
    const onScroll = () => {
      stick.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
      setAtEnd(stick.current);
    };
    const grown = new ResizeObserver(() => {
      if (stick.current) box.scrollTop = box.scrollHeight;
    });
    grown.observe(content.current);
    grown.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      grown.disconnect();
      box.removeEventListener('scroll', onScroll);
    };
  }, []);
  const toEnd = (behavior: ScrollBehavior = 'smooth') => {
    stick.current = true;
    scrollBox.current?.scrollTo({ top: scrollBox.current.scrollHeight, behavior });
  };
  return { scrollBox, content, atEnd, toEnd };
}
