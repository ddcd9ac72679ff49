import { extname, join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import { build, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '..');
const TYPES: Record<string, string> = { '.css': 'text/css', '.woff2': 'font/woff2' };
const TEXT_FONT = 'schibsted-grotesk';

/**
 * Vite plugin: builds /chat-frame.js and /chat-frame.css, the chat in an iframe, with its chunks in assets/. Built
 * separately, because the site's build would put shared code into files of the site.
 */
export function chatFrame(): Plugin {
  return {
    name: 'chat-frame',
    applyToEnvironment: (environment) => environment.name === 'client',
    configureServer(server) {
      let files = new Map<string, string | Uint8Array>();
      server.middlewares.use(async (request, response, next) => {
        const path = request.url?.split('?')[0]?.slice(1) ?? '';
        if (!/^(chat-frame\.|assets\/(frame|schibsted)-)/.test(path)) return next();
        if (path === 'chat-frame.css') files = await buildFrame();
        response.setHeader('content-type', TYPES[extname(path)] ?? 'text/javascript; charset=utf-8');
        response.end(files.get(path));
      });
    },
    generateBundle: {
      order: 'pre',
      async handler(_options, bundle) {
        for (const [fileName, source] of await buildFrame())
          if (!(fileName in bundle)) this.emitFile({ type: 'asset', fileName, source });
      },
    },
  };
}

/**
 * Builds the stylesheet with only the classes of the chat. If the document is narrower than 768 px, as frames of
 * embed.js are, the text font is loaded with the first question, so that opening the chat costs less.
 */
const chatStyles: Plugin = {
  name: 'chat-styles',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('/app/chat/frame-entry.tsx')) return `import '../app.css';\n${code}`;
    if (!id.endsWith('/app/app.css')) return null;
    return code
      .replace('source("./")', 'source(none)')
      .replaceAll(/@import "\.\/(?!ui\/).*\n/g, '')
      .replaceAll(/@font-face \{[^}]*url\([^}]*\}/g, (face) => (face.includes(TEXT_FONT) ? face : ''))
      .concat(
        '\n@media (width < 48rem) { html:not(:has([role="log"] > *)) { font-family: "Schibsted Fallback", system-ui, sans-serif; } }',
        ['chat/*', 'bookings/*', 'ui/*', 'ui/captcha/*'].map((files) => `\n@source "./${files}.{ts,tsx}";`).join(''),
      );
  },
};

/** Builds the files and returns them by name. */
async function buildFrame(): Promise<Map<string, string | Uint8Array>> {
  const buildResult = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [chatStyles, tailwindcss()],
    // The site's build separates server and browser code with a plugin. Everything here runs in the browser.
    resolve: { alias: { '@tanstack/react-start': join(ROOT, 'app/chat/react-start-stub.ts') } },
    build: {
      write: false,
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: {
        input: 'app/chat/frame-entry.tsx',
        output: {
          entryFileNames: 'chat-frame.js',
          chunkFileNames: 'assets/frame-[name]-[hash].js',
          // The font gets the same name as in the site's build, so that browsers load it once.
          assetFileNames: ({ names: [name = ''] }) =>
            name.endsWith('.css') ? 'chat-frame.css' : 'assets/[name]-[hash][extname]',
          codeSplitting: { groups: [{ name: 'chat-frame', tags: ['$initial'] }] },
        },
      },
    },
  });
  const outputs = [buildResult].flat().flatMap((result) => ('output' in result ? result.output : []));
  return new Map(outputs.map((output) => [output.fileName, output.type === 'chunk' ? output.code : output.source]));
}
