/**
 * Maximum height of controls that must not be covered. Taller controls, such as cards, can be clicked beside the
 * launcher. Fields are always included.
 */
const MAX_HEIGHT = 120;

/** Minimum distance between the launcher and a control in px. */
const GAP = 8;

/** A scroll counts as ended if no scroll event follows within this time. */
const SCROLL_END_MS = 120;

const CONTROLS = 'a[href], button, input, textarea, select, summary, [tabindex="0"]';

interface VerticalRange {
  top: number;
  bottom: number;
}

/**
 * Returns how far the launcher must move up so that it covers no control.
 *
 * @param ceiling highest allowed position of the launcher's top edge
 * @returns null if there is no free position
 */
export function getLift(controls: readonly VerticalRange[], launcher: VerticalRange, ceiling: number): number | null {
  let lift = 0;
  for (const { top, bottom } of controls.toSorted((a, b) => b.top - a.top)) {
    const isCovered = bottom > launcher.top - lift - GAP && top < launcher.bottom - lift + GAP;
    if (isCovered) lift = launcher.bottom - top + GAP;
  }
  return launcher.top - lift < ceiling ? null : lift;
}

/**
 * Moves the launcher up if it would cover a control on the page. Hides the launcher if the lower half of the window has
 * no free position. It moves only after a scroll has ended. An IntersectionObserver tracks the controls in the
 * launcher's column, so that no other controls are measured.
 *
 * @returns a function that stops the tracking
 */
export function avoidOverlap(launcher: HTMLElement): () => void {
  const regions = [...document.querySelectorAll('main, footer')];
  const controlsInColumn = new Set<Element>();
  let observer: IntersectionObserver | undefined;

  const move = () => {
    const { style } = document.documentElement;
    // Offsets ignore transforms, so this is the position before the launcher is moved.
    const { offsetTop: top, offsetHeight: height } = launcher;
    const controls = [...controlsInColumn].flatMap((control) => {
      const range = control.getBoundingClientRect();
      return range.height <= MAX_HEIGHT || control.tagName === 'TEXTAREA' ? [range] : [];
    });
    const lift = getLift(controls, { top, bottom: top + height }, window.innerHeight / 2);
    launcher.toggleAttribute('data-hidden', lift === null);
    if (lift) style.setProperty('--launcher-lift', `${Math.round(lift)}px`);
    else style.removeProperty('--launcher-lift');
  };

  const watch = () => {
    observer?.disconnect();
    controlsInColumn.clear();
    const { offsetLeft: left, offsetWidth: width } = launcher;
    const right = document.documentElement.clientWidth - left - width;
    observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) controlsInColumn.add(target);
          else controlsInColumn.delete(target);
        }
        moveSoon();
      },
      { rootMargin: `0px ${-right}px 0px ${-left}px` },
    );
    for (const region of regions) {
      for (const control of region.querySelectorAll(CONTROLS)) observer.observe(control);
    }
  };

  const [moveSoon, cancelMove] = debounced(move, SCROLL_END_MS);
  // A route change causes many mutations in quick succession.
  const [watchSoon, cancelWatch] = debounced(watch, 300);
  const changes = new MutationObserver(watchSoon);
  const sizes = new ResizeObserver(moveSoon);
  for (const region of regions) {
    changes.observe(region, { childList: true, subtree: true });
    sizes.observe(region);
  }
  window.addEventListener('resize', watchSoon);
  window.addEventListener('scroll', moveSoon, { passive: true });
  watch();
  return () => {
    cancelMove();
    cancelWatch();
    observer?.disconnect();
    changes.disconnect();
    sizes.disconnect();
    window.removeEventListener('resize', watchSoon);
    window.removeEventListener('scroll', moveSoon);
    launcher.removeAttribute('data-hidden');
    document.documentElement.style.removeProperty('--launcher-lift');
  };
}

/** Debounces a task. Returns functions to schedule and to cancel it. */
function debounced(task: () => void, delay: number): [call: () => void, cancel: () => void] {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => clearTimeout(timer);
  const call = () => {
    cancel();
    timer = setTimeout(task, delay);
  };
  return [call, cancel];
}
