/** On a phone the navigation is a popover, which would cover the section that the reader chose. */
export function closeAfterChoice(navigation: HTMLElement): void {
  navigation.addEventListener('click', ({ target }) => {
    const isLink = target instanceof Element && target.closest('a') !== null;
    if (isLink && navigation.matches(':popover-open')) navigation.hidePopover();
  });
}
