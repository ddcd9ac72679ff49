/** Writes a planned import. Uploads the files first, and then creates the posts in batches. */
import type { SupabaseClient } from '@supabase/supabase-js';
import pLimit from 'p-limit';
import type { Database } from '../../api/database.types.ts';
import { CACHE_SECONDS, hashFile, MEDIA_BUCKET, randomName } from '../../media/media-file.ts';
import { UserError } from '../../ui/lib/user-error.ts';
import { getMimeType } from './find-file.ts';
import type { ImportPlan, PlannedFile, PlannedPost } from './plan-import.ts';
import { type ImportNote, IncompleteImport } from './source.ts';

type Api = SupabaseClient<Database>;

/** Folder of imported files in the media library. */
const FOLDER = 'Imported';
const PARALLEL_UPLOADS = 3;
/** The storage rejects larger files. */
const MAX_FILE_BYTES = 52_428_800;
/** Maximum number of posts, slugs or ids per request. Creating 2,000 posts at once exceeds the statement timeout. */
const BATCH_SIZE = 100;
/** Maximum number of characters per request. The API accepts requests of up to 10 MB. */
const MAX_BATCH_CHARACTERS = 1_000_000;

export interface ImportedPost {
  id: string;
  title: string;
}

export interface ImportResult {
  posts: ImportedPost[];
  notes: ImportNote[];
}

export type ImportStage = 'files' | 'posts';

export interface WriteOptions {
  /** Origin to remove from file URLs, so that they stay valid if the site moves to another domain. */
  ownOrigin: string;
  /** Called after each file, and after each batch of posts. */
  onProgress?: (stage: ImportStage, done: number, total: number) => void;
}

/** Splits the posts of a plan into new posts and posts whose slug is already in use. */
export async function splitByExistence(api: Api, { posts }: ImportPlan) {
  const existing = new Set<string>();
  for (const slugs of splitIntoBatches(posts.map(({ slug }) => slug))) {
    const { data } = await api.from('posts').select('slug').in('slug', slugs).throwOnError();
    for (const { slug } of data) existing.add(slug);
  }
  return {
    created: posts.filter(({ slug }) => !existing.has(slug)),
    skipped: posts.filter(({ slug }) => existing.has(slug)),
  };
}

/**
 * Uploads the files of the posts, and then creates the posts in batches. If a batch fails, the posts that were
 * already created are moved to the trash.
 * @throws UserError or the error of the API
 */
export async function writeImport(
  api: Api,
  plan: ImportPlan,
  posts: readonly PlannedPost[],
  { ownOrigin, onProgress }: WriteOptions,
): Promise<ImportResult> {
  const stored = new Map<number, StoredFile>();
  const notes: ImportNote[] = [];
  const indexes = [...new Set(posts.flatMap(({ files }) => files))];
  const limit = pLimit({ concurrency: PARALLEL_UPLOADS, rejectOnClear: true });
  const uploads = indexes.map((index) =>
    limit(async () => {
      const file = await storeOrNote(api, plan.files[index], notes);
      if (file) stored.set(index, file);
      onProgress?.('files', stored.size + notes.length, indexes.length);
    }),
  );
  try {
    await Promise.all(uploads);
    const rows = posts.map((post) => toRow(post, (index) => contentUrlOf(api, stored.get(index), ownOrigin)));
    return { posts: await createPosts(api, rows, (done) => onProgress?.('posts', done, rows.length)), notes };
  } catch (error) {
    limit.clearQueue();
    await Promise.allSettled(uploads);
    // Keep the files, because the posts that remain refer to them.
    if (error instanceof IncompleteImport) throw error;
    const added = [...stored.values()].flatMap(({ name, isNew }) => (isNew ? [name] : []));
    if (added.length > 0) await api.storage.from(MEDIA_BUCKET).remove(added);
    throw error;
  }
}

async function createPosts(
  api: Api,
  rows: readonly ReturnType<typeof toRow>[],
  onProgress: (done: number) => void,
): Promise<ImportedPost[]> {
  const created: ImportedPost[] = [];
  let done = 0;
  try {
    for (const batch of splitIntoBatches(rows, ({ content }) => content.length)) {
      done += batch.length;
      const { data } = await api.rpc('import_posts', { _posts: batch }).throwOnError();
      const slugs = new Set(data.map(({ post_slug }) => post_slug));
      created.push(...batch.filter(({ slug }) => slugs.has(slug)));
      onProgress(done);
    }
  } catch (error) {
    // Includes the failed batch, because its posts exist if only the response was lost.
    await undoImport(api, rows.slice(0, done)).catch((cause: unknown) => {
      throw new IncompleteImport(
        'The import stopped and could not be undone, so some posts may remain. Import the same files again to add the others.',
        { cause },
      );
    });
    throw error;
  }
  return created.map(({ id, title }) => ({ id, title }));
}

/** Stores a file, or adds a note if the storage rejects it. */
async function storeOrNote(api: Api, planned: PlannedFile | undefined, notes: ImportNote[]) {
  try {
    return planned && (await storeFile(api, planned));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    notes.push({ title: planned?.file.path ?? '', text: error.message });
    return undefined;
  }
}

/** Moves imported posts to the trash. */
export async function undoImport(api: Api, posts: readonly ImportedPost[]): Promise<void> {
  for (const ids of splitIntoBatches(posts.map(({ id }) => id)))
    await api.from('posts').delete().in('id', ids).throwOnError();
}

interface StoredFile {
  name: string;
  isNew: boolean;
}

/** @throws UserError if the storage rejects the file */
async function storeFile(api: Api, { file, alt }: PlannedFile): Promise<StoredFile> {
  // Reject the file before it is read, because an archive can declare any size.
  if (file.size > MAX_FILE_BYTES) throw new UserError('Not imported, because it is larger than 50 MB.');
  const title = file.path.split('/').at(-1) ?? '';
  const blob = new Blob([await file.read()], { type: getMimeType(file.path) ?? '' });
  const sha256 = await hashFile(blob);
  const { data } = sha256 ? await api.rpc('find_media', { _sha256: sha256 }).throwOnError() : { data: [] };
  if (data[0]) return { name: data[0].name, isNew: false };
  const name = randomName(title);
  const metadata = { original_name: title, folder: FOLDER, ...(sha256 && { sha256 }), ...(alt && { alt }) };
  const { error } = await api.storage.from(MEDIA_BUCKET).upload(name, blob, {
    cacheControl: CACHE_SECONDS,
    contentType: blob.type,
    metadata,
  });
  if (!error) return { name, isNew: true };
  // The storage rejects files that are damaged, too large, or of a type that does not match their name.
  const status = 'status' in error ? Number(error.status) : 0;
  if ([400, 413, 415, 422].includes(status)) throw new UserError(`Not imported: ${error.message}`, { cause: error });
  throw error;
}

function contentUrlOf(api: Api, file: StoredFile | undefined, ownOrigin: string): string {
  if (!file) return '';
  const { publicUrl } = api.storage.from(MEDIA_BUCKET).getPublicUrl(file.name).data;
  return publicUrl.startsWith(`${ownOrigin}/`) ? publicUrl.slice(ownOrigin.length) : publicUrl;
}

/**
 * Replaces the references to planned files with their URLs. If a file was not stored, its link
 * is replaced with the link text.
 */
function toRow({ files: _files, ...post }: PlannedPost, urlAt: (index: number) => string) {
  const resolve = (text: string) =>
    text
      .replace(/!?\[([^\]\n]*)\]\(\/import-file\/(\d+)[^()\n]*\)/g, (all, label: string, index: string) =>
        urlAt(Number(index)) ? all : label,
      )
      .replace(/\/import-file\/(\d+)/g, (_all, index: string) => urlAt(Number(index)));
  return {
    ...post,
    content: resolve(post.content),
    featured_image: resolve(post.featured_image) || null,
    published_date: post.published_date || new Date().toISOString(),
  };
}

function splitIntoBatches<Value>(values: readonly Value[], measure: (value: Value) => number = () => 0): Value[][] {
  const batches: Value[][] = [];
  let length = 0;
  for (const value of values) {
    length += measure(value);
    const batch = batches.at(-1);
    if (batch && batch.length < BATCH_SIZE && length <= MAX_BATCH_CHARACTERS) batch.push(value);
    else {
      batches.push([value]);
      length = measure(value);
    }
  }
  return batches;
}
