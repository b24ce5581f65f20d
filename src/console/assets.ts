export const CONSOLE_PAGE = '<!doctype html><title>Animal Store console</title>\n';
export const CONSOLE_SCRIPT = '';
export const CONSOLE_STYLE = '';
export const CONSOLE_ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>\n';
