/** Marks the link to the section in view. */
export function markWhileScrolling(navigation: HTMLElement): void {
  const links = linksToThisPage(navigation);
  let marked: HTMLElement | undefined;
  const mark = (chosen: Element | undefined) => {
    const link = links.get(chosen ?? [...links.keys()].find(isBeingRead) ?? navigation);
    if (link === undefined || link === marked) return;
    marked?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'location');
    marked = link;
    showIn(navigation, link);
  };
  addEventListener('scroll', () => mark(chosenAtEnd()), { passive: true });
  addEventListener('hashchange', () => mark(sectionOf(location.hash)));
  mark(sectionOf(location.hash));
}

/** The section that the reader followed a link to, if the page ends before it reaches the top. */
function chosenAtEnd(): Element | undefined {
  const { scrollHeight } = document.documentElement;
  const section = sectionOf(location.hash);
  const isAtEnd = scrollY + innerHeight > scrollHeight - 2;
  const isInView = section !== undefined && section.getBoundingClientRect().top < innerHeight;
  return isAtEnd && isInView ? section : undefined;
}

/** Below the header, which covers the top of the window, and not at the bottom. */
function isBeingRead(section: Element): boolean {
  const { scrollPaddingTop } = getComputedStyle(document.documentElement);
  const { top, bottom } = section.getBoundingClientRect();
  return bottom > Number.parseFloat(scrollPaddingTop) + 16 && top < 0.6 * innerHeight;
}

/** By the section that they lead to. */
function linksToThisPage(navigation: HTMLElement): Map<Element, HTMLElement> {
  const links = new Map<Element, HTMLElement>();
  for (const link of navigation.querySelectorAll<HTMLAnchorElement>('a[href*="#"]')) {
    const section = link.pathname === location.pathname ? sectionOf(link.hash) : undefined;
    if (section !== undefined) links.set(section, link);
  }
  return links;
}

/** An anchor in a section leads to that section. */
function sectionOf(hash: string): Element | undefined {
  return document.getElementById(hash.slice(1))?.closest('section') ?? undefined;
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
