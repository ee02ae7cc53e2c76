import { type EditorView, ViewPlugin } from '@codemirror/view';
import { createStore } from 'zustand/vanilla';
import { followsEnd } from '../ui/follow-scroll.ts';

/** An editor that shows the end of its text while that grows, until its reader scrolls up; at the end it goes on. */
export function followEnd() {
  const following = createStore(() => ({ following: true }));
  let lastTop = 0;
  const toEnd = (view: EditorView) =>
    view.requestMeasure({
      key: following,
      read: ({ scrollDOM }) => scrollDOM.scrollHeight,
      write: (height, { scrollDOM }) => {
        scrollDOM.scrollTop = height;
      },
    });
  const onScroll = (scroller: HTMLElement) => {
    following.setState({ following: followsEnd(following.getState().following, scroller, lastTop) });
    lastTop = scroller.scrollTop;
  };
  const extension = ViewPlugin.define((view) => {
    const { scrollDOM } = view;
    const listener = () => onScroll(scrollDOM);
    scrollDOM.addEventListener('scroll', listener, { passive: true });
    return { destroy: () => scrollDOM.removeEventListener('scroll', listener) };
  });
  return {
    store: following,
    extension,
    /** After the text grew. */
    follow(view: EditorView) {
      if (following.getState().following) toEnd(view);
    },
    /** Goes to the end, and follows again. */
    resume(view: EditorView) {
      following.setState({ following: true });
      toEnd(view);
    },
  };
}
