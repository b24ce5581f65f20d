/** With these, the reader scrolls instead of following a link. */
const SCROLL_EVENTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/** Marks the link to the section in view. A link that the reader followed stays marked. */
export function markWhileScrolling(navigation: HTMLElement): void {
  const links = linksToThisPage(navigation);
  let marked: HTMLElement | undefined;
  let isPinned = false;
  const mark = (link: HTMLElement | undefined) => {
    if (link === undefined || link === marked) return;
    marked?.removeAttribute('aria-current');
    link.setAttribute('aria-current', 'location');
    marked = link;
    showIn(navigation, link);
  };

  const crossing = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) crossing.add(target);
        else crossing.delete(target);
      }
      // Between two sections, the previous one stays marked.
      const section = [...links.keys()].find((candidate) => crossing.has(candidate));
      if (!isPinned && section !== undefined) mark(links.get(section));
    },
    { rootMargin: readingArea() },
  );
  for (const section of links.keys()) observer.observe(section);

  const followHash = () => {
    const section = sectionOf(location.hash);
    const link = section === null ? undefined : links.get(section);
    isPinned = link !== undefined;
    mark(link);
  };
  const unpin = () => {
    isPinned = false;
  };
  for (const type of SCROLL_EVENTS) addEventListener(type, unpin, { passive: true });
  addEventListener('hashchange', followHash);
  // A link to the current hash changes nothing, but scrolls back to it.
  navigation.addEventListener('click', () => setTimeout(followHash));
  followHash();
}

/** Without the header, which covers the top of the window. The first section in it is the current one. */
function readingArea(): string {
  const { scrollPaddingTop } = getComputedStyle(document.documentElement);
  return `-${Math.ceil(Number.parseFloat(scrollPaddingTop) || 0) + 16}px 0px -40% 0px`;
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

/** An anchor inside of a section leads to that section. */
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
