import { serve } from '@hono/node-server';
import { createBackend, PUBLISHABLE_KEY, parseConfig } from '@signalfjord/backend';
import { createClient } from '@supabase/supabase-js';

const config = parseConfig(process.env);
const backend = await createBackend(config, { migrationsFolder: `${import.meta.dirname}/migrations` });
const server = serve(
  { fetch: (request, { incoming }) => backend.fetch(request, incoming.socket.remoteAddress), port: config.PORT },
  async ({ port }) => {
    const supabase = createClient(`http://127.0.0.1:${port}`, PUBLISHABLE_KEY);
    await supabase.from('notes').insert({ text: 'Hello' });
    console.log((await supabase.from('notes').select()).data);
  },
);
process.once('SIGTERM', () => server.close(() => backend.close()));
