import style from '../../packages/console/generated/console.css' with { type: 'text' };
import script from '../../packages/console/generated/console.js' with { type: 'text' };
import icon from '../reference/icon.svg' with { type: 'text' };

/** The links are relative, so that the console also works behind a proxy that adds a prefix to its paths. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Animal Store console</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="console.css">
<script type="module" src="console.js"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The console needs JavaScript. The <code>animal-store</code> command does the same without it.</p></noscript>
</body>
</html>
`;

/** The files of the console by their paths. `npm run build:pages` bundles them. */
export const CONSOLE_FILES = {
  '/': { type: 'text/html', text: PAGE },
  '/console.js': { type: 'text/javascript', text: script },
  '/console.css': { type: 'text/css', text: style },
  '/icon.svg': { type: 'image/svg+xml', text: icon },
};
