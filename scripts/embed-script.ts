import { build, type Plugin } from 'vite';

const SOURCE = 'app/chat/embed/embed.ts';

/** Vite plugin: builds /embed.js, a plain script for other sites. In development it is built on request. */
export function embedScript(): Plugin {
  return {
    name: 'embed-script',
    applyToEnvironment: (environment) => environment.name === 'client',
    configureServer(server) {
      server.middlewares.use('/embed.js', (_request, response, next) => {
        buildScript().then((code) => {
          response.setHeader('content-type', 'text/javascript; charset=utf-8');
          response.end(code);
        }, next);
      });
    },
    generateBundle: {
      order: 'pre',
      async handler() {
        this.emitFile({ type: 'asset', fileName: 'embed.js', source: await buildScript() });
      },
    },
  };
}

async function buildScript(): Promise<string> {
  const buildResult = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: { write: false, modulePreload: false, lib: { entry: SOURCE, formats: ['iife'], name: 'signalfjordChat' } },
  });
  const outputs = [buildResult].flat().flatMap((result) => ('output' in result ? result.output : []));
  const script = outputs.find((output) => output.type === 'chunk');
  if (!script) throw new Error(`${SOURCE} was not found in the build output.`);
  return script.code;
}
