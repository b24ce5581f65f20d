/** Marks the link to the section that is being read, in the upper part of the window. */
export function markWhileScrolling(navigation: HTMLElement): void {
  const links = new Map<Element, HTMLAnchorElement>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const link = links.get(target);
        link?.removeAttribute('aria-current');
        if (link === undefined || !isIntersecting) continue;
        link.setAttribute('aria-current', 'location');
        showIn(navigation, link);
      }
    },
    // The margins leave only a line of the window, and only one section crosses it.
    { rootMargin: '-20% 0px -80%' },
  );
  for (const link of navigation.querySelectorAll<HTMLAnchorElement>('li a')) {
    const section = document.getElementById(link.hash.slice(1));
    if (section === null || link.pathname !== location.pathname) continue;
    links.set(section, link);
    observer.observe(section);
  }
}

/**
 * Keeps the link in the middle half of the navigation, whose edges may be covered. It scrolls only the
 * navigation. `scrollIntoView` would also stop the page if that is scrolling.
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
