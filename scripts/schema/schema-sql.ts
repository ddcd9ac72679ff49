/** Concatenates supabase/schemas in the order of `schema_paths` in supabase/config.toml. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** @throws Error if a file is missing in `schema_paths` */
export async function schemaSql(supabaseFolder: string): Promise<string> {
  const config = await readFile(join(supabaseFolder, 'config.toml'), 'utf8');
  const list = /^schema_paths = \[\n([^\]]*)\]/m.exec(config)?.[1] ?? '';
  const paths = [...list.matchAll(/"\.\/(schemas\/[^"]+\.sql)"/g)].map(([, path = '']) => path);
  const files = await readdir(join(supabaseFolder, 'schemas'), { recursive: true });
  const missing = files.find((file) => file.endsWith('.sql') && !paths.includes(`schemas/${file}`));
  if (missing) throw new Error(`Add supabase/schemas/${missing} to schema_paths in supabase/config.toml.`);
  const texts = await Promise.all(
    paths.map(async (path) => `-- ${path}\n\n${await readFile(join(supabaseFolder, path), 'utf8')}`),
  );
  // Function bodies reference tables of later files.
  return `set check_function_bodies = off;\n\n${texts.join('\n')}\nreset check_function_bodies;\n`;
}
