/** With these, the reader scrolls instead of following a link. */
const SCROLL_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Marks the link to the section in view. A link that the reader followed stays marked. */
export function markWhileScrolling(navigation: HTMLElement): void {
  const links = linksToThisPage(navigation);
  let marked: HTMLElement | undefined;
  let isPinned = false;
  const mark = (section: Element | null | undefined) => {
    const link = section ? links.get(section) : undefined;
    if (link === undefined || link === marked) return;
    marked?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'location');
    marked = link;
    showIn(navigation, link);
  };
  const followScroll = () => {
    if (!isPinned) mark([...links.keys()].find(isInView));
  };
  const followHash = () => {
    const section = sectionOf(location.hash);
    isPinned = section !== null;
    if (isPinned) mark(section);
    else followScroll();
  };
  const unpin = () => {
    isPinned = false;
  };
  for (const type of SCROLL_EVENTS) addEventListener(type, unpin, { passive: true });
  addEventListener('scroll', followScroll, { passive: true });
  addEventListener('hashchange', followHash);
  // A link to the current hash changes nothing, but scrolls back to it.
  navigation.addEventListener('click', () => setTimeout(followHash));
  followHash();
}

/** Below the header, which covers the top of the window, and not at the bottom. */
function isInView(section: Element): boolean {
  const { scrollPaddingTop } = getComputedStyle(document.documentElement);
  const { top, bottom } = section.getBoundingClientRect();
  return bottom > Number.parseFloat(scrollPaddingTop) + 16 && top < 0.6 * innerHeight;
}

/** By the section that they lead to. */
function linksToThisPage(navigation: HTMLElement): Map<Element, HTMLElement> {
  const links = new Map<Element, HTMLElement>();
  for (const link of navigation.querySelectorAll<HTMLAnchorElement>('a[href*="#"]')) {
    const section = link.pathname === location.pathname ? sectionOf(link.hash) : null;
    if (section !== null) links.set(section, link);
  }
  return links;
}

/** An anchor in a section leads to that section. */
function sectionOf(hash: string): Element | null {
  return document.getElementById(hash.slice(1))?.closest('section') ?? null;
}

/**
 * Keeps the link in the middle half, away from the edges that other parts cover. Scrolls only the
 * navigation: `scrollIntoView` would also stop a scroll of the page.
 */
function showIn(navigation: HTMLElement, link: HTMLElement): void {
  const frame = navigation.getBoundingClientRect();
  const fromMiddle = link.getBoundingClientRect().top - (frame.top + frame.height / 2);
  if (Math.abs(fromMiddle) > frame.height / 4) navigation.scrollTop += fromMiddle;
}

/** On a phone the navigation is a popover, which would cover the section that the reader chose. */
export function closeAfterChoice(navigation: HTMLElement): void {
  navigation.addEventListener('click', ({ target }) => {
    const isLink = target instanceof Element && target.closest('a') !== null;
    if (isLink && navigation.matches(':popover-open')) navigation.hidePopover();
  });
}
