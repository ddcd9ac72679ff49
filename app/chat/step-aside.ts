/** A control of at most this height is one that a thumb aims at; larger ones (cards) have room beside the launcher. */
const MAX_HEIGHT = 120;

const CONTROLS = 'a[href], button, input, textarea, select, summary, [tabindex="0"]';

/**
 * Marks the launcher with data-aside while a control of the page lies under it. The browser watches where they are, so
 * that scrolling costs no script.
 * @returns ends it
 */
export function stepAside(launcher: HTMLElement): () => void {
  const regions = [...document.querySelectorAll('main, footer')];
  const under = new Set<Element>();
  let observer: IntersectionObserver | undefined;

  const watch = () => {
    observer?.disconnect();
    under.clear();
    // The place of the launcher while it is not aside: offsets know nothing of transforms.
    const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = launcher;
    const right = document.documentElement.clientWidth - left - width;
    const bottom = window.innerHeight - top - height;
    observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          if (isIntersecting && boundingClientRect.height <= MAX_HEIGHT) under.add(target);
          else under.delete(target);
        }
        launcher.toggleAttribute('data-aside', under.size > 0);
      },
      { rootMargin: `${-top}px ${-right}px ${-bottom}px ${-left}px` },
    );
    for (const region of regions) {
      for (const control of region.querySelectorAll(CONTROLS)) observer.observe(control);
    }
  };

  // Pages and their parts come and go; many changes at once are looked at once.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watchSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(watch, 300);
  };
  const changes = new MutationObserver(watchSoon);
  for (const region of regions) changes.observe(region, { childList: true, subtree: true });
  window.addEventListener('resize', watchSoon);
  watch();
  return () => {
    clearTimeout(timer);
    observer?.disconnect();
    changes.disconnect();
    window.removeEventListener('resize', watchSoon);
    launcher.removeAttribute('data-aside');
  };
}
