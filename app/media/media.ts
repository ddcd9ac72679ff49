/** Pictures and other files of the site, in the storage bucket that visitors may read. */
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { changeAsSignedIn, readAsSignedIn, reloadOnSettled, reloadOnSuccess } from '../api/as-signed-in.ts';
import type { Database } from '../api/database.types.ts';
import { PAGE_SIZE, pageRange } from '../api/paging.ts';
import { sessionApi } from '../api/visitor-api.ts';
import { askAboutDuplicate, type UploadBatch } from './duplicates.ts';
import { sendFile } from './send-file.ts';
import type { UploadOptions } from './upload.ts';

const MEDIA_BUCKET = 'content-media';

/** More is refused anyway, and would be in memory as a whole. */
const MAX_HASHED_BYTES = 60_000_000;

/** Width of thumbnails: twice that of a card, for sharp screens. */
const THUMBNAIL_WIDTH = 480;

type MediaRow = Database['public']['Functions']['media_library']['Returns'][number];
export type MediaKind = 'image' | 'video' | 'audio' | 'document';

export interface MediaFile extends Omit<MediaRow, 'total'> {
  /** Title under which people know the file: its own name, or the one it has in the bucket if that is unknown. */
  title: string;
  /** The full public address. */
  url: string;
  /** The address of a small rendition. Pictures only. */
  thumbnailUrl: string;
}

export function isPicture({ mimetype }: MediaFile): boolean {
  return mimetype.startsWith('image/');
}

/** Stands in the address for the files that are in no folder. */
export const NO_FOLDER = '-';

export interface MediaLibrarySearch {
  search: string;
  kind?: MediaKind | undefined;
  /** NO_FOLDER for the files in none. */
  folder?: string | undefined;
  /** Only what is used nowhere. */
  unused?: boolean | undefined;
  /** From 1. */
  page: number;
}

/** Reads a page of the library, the newest files first, and how many files there are. */
export function mediaLibraryQuery({ search, kind, folder, unused, page }: MediaLibrarySearch) {
  return queryOptions({
    queryKey: ['media', 'library', { search, kind, folder, unused, page }],
    placeholderData: keepPreviousData,
    // Files also come from the forms of the admin area.
    staleTime: 0,
    queryFn: async ({ signal }): Promise<{ items: MediaFile[]; count: number }> => {
      const api = await sessionApi();
      const bucket = api.storage.from(MEDIA_BUCKET);
      const { data } = await api
        .rpc('media_library', {
          _search: search,
          _kind: kind ?? '',
          _folder: folder ?? '',
          _unused: unused ?? false,
          _limit: PAGE_SIZE,
          _offset: pageRange(page)[0],
        })
        .abortSignal(signal)
        .throwOnError();
      const items = data.map(({ total, ...file }) => ({
        ...file,
        title: file.original_name || file.name,
        url: bucket.getPublicUrl(file.name).data.publicUrl,
        thumbnailUrl: bucket.getPublicUrl(file.name, { transform: { width: THUMBNAIL_WIDTH } }).data.publicUrl,
      }));
      return { items, count: data[0]?.total ?? 0 };
    },
  });
}

/** Reads where a file is used, as of now. */
export function mediaUsageQuery(name: string) {
  return queryOptions({
    queryKey: ['media', 'usage', name],
    staleTime: 0,
    gcTime: 0,
    queryFn: readAsSignedIn((api) => api.rpc('media_usage', { _name: name })),
  });
}

/** Reads the size in bytes of a picture as it was sent, if that was kept; null otherwise. */
export function mediaOriginalQuery(name: string) {
  return queryOptions({
    queryKey: ['media', 'original', name],
    queryFn: async ({ signal }): Promise<{ name: string; size: number } | null> => {
      const api = await sessionApi();
      const { data } = await api.rpc('media_original', { _name: name }).abortSignal(signal).throwOnError();
      return data[0] ?? null;
    },
  });
}

/** Saves an original under the name that it was sent with. It has no address of its own, so one is made for a minute. */
export const downloadOriginalMutation = mutationOptions({
  mutationKey: ['media', 'download original'],
  mutationFn: async ({ name, title }: { name: string; title: string }): Promise<void> => {
    const originals = (await sessionApi()).storage.from('media-originals');
    const { data, error } = await originals.createSignedUrl(name, 60, { download: title });
    if (error) throw error;
    window.location.assign(data.signedUrl);
  },
});

/** The names of all folders. One exists as long as it holds a file. */
export const mediaFoldersQuery = queryOptions({
  queryKey: ['media', 'folders'],
  staleTime: 0,
  queryFn: readAsSignedIn((api) => api.rpc('media_folders')),
});

/** Describes a picture for those who cannot see it. */
export const setMediaAltMutation = mutationOptions({
  mutationKey: ['media', 'alt'],
  mutationFn: changeAsSignedIn((api, { name, alt }: { name: string; alt: string }) =>
    api.rpc('set_media_alt', { _name: name, _alt: alt }),
  ),
  ...reloadOnSuccess(['media', 'library']),
});

/** Says where the subject of a picture is, each from 0 to 1; null: in the middle. */
export const setMediaFocusMutation = mutationOptions({
  mutationKey: ['media', 'focus'],
  mutationFn: async ({ name, focus }: { name: string; focus: Focus | null }): Promise<void> => {
    const api = await sessionApi();
    // The generated type does not know that both may be null.
    const point = { _x: focus?.x ?? null, _y: focus?.y ?? null } as { _x: number; _y: number };
    await api.rpc('set_media_focus', { _name: name, ...point }).throwOnError();
  },
  ...reloadOnSuccess(['media', 'library']),
});

/** Position from the left and from the top, 0 to 1. */
export interface Focus {
  x: number;
  y: number;
}

/** Puts files into a folder, '' for none. @returns how many */
export const moveMediaMutation = mutationOptions({
  mutationKey: ['media', 'move'],
  mutationFn: changeAsSignedIn((api, { names, folder }: { names: string[]; folder: string }) =>
    api.rpc('move_media', { _names: names, _folder: folder }),
  ),
  ...reloadOnSuccess(['media']),
});

/** Deletes files for good; deleting what is gone already succeeds. */
export const deleteMediaMutation = mutationOptions({
  mutationKey: ['media', 'delete'],
  mutationFn: removeMedia,
  ...reloadOnSuccess(['media']),
});

async function removeMedia(names: string[]): Promise<void> {
  const { error } = await (await sessionApi()).storage.from(MEDIA_BUCKET).remove(names);
  if (error) throw error;
}

/** Uploads a file and puts it in the place of another one, everywhere at once. @returns in how many places */
export const replaceMediaMutation = mutationOptions({
  mutationKey: ['media', 'replace'],
  mutationFn: async ({
    old,
    file,
    deletesOld,
  }: {
    old: MediaFile;
    file: File;
    deletesOld: boolean;
  }): Promise<number> => {
    const { name, isNew } = await storeMedia(file);
    const api = await sessionApi();
    const { data: places, error } = await api.rpc('replace_media', { _name: old.name, _by: name });
    if (error) {
      // The file was not replaced, so nobody needs the new one.
      if (isNew) await removeMedia([name]).catch(() => undefined);
      throw error;
    }
    if (deletesOld) await removeMedia([old.name]);
    return places;
  },
  ...reloadOnSettled(['media']),
});

/** Uploads a picture for a form. @returns its public address as content keeps it */
export function uploadPictureMutation(folder = '') {
  return mutationOptions({
    mutationKey: ['media', 'upload', folder],
    mutationFn: (file: File) => uploadMedia(file, folder),
  });
}

/**
 * Uploads a file under a random name with its own extension; what it was called stays findable. When the same file is there
 * already, the person is asked which to use.
 * @param place where it goes in the bucket, with the slash at its end
 * @returns its public address as content keeps it, see contentAddress
 * @throws Refusal with the server's message; Error; the signal's reason when it was cancelled
 */
export async function uploadMedia(file: File, place = '', options: MediaUploadOptions = {}): Promise<string> {
  const { name } = await storeMedia(file, place, options);
  return contentAddress((await sessionApi()).storage.from(MEDIA_BUCKET).getPublicUrl(name).data.publicUrl);
}

interface MediaUploadOptions extends UploadOptions {
  /** Folder of the library. */
  folder?: string | undefined;
  /** Files that it was chosen together with. */
  batch?: UploadBatch | undefined;
  /** True when our storage keeps a picture as it was sent, beside what it makes of it. */
  keepsOriginal?: boolean | undefined;
}

async function storeMedia(
  file: File,
  place = '',
  { folder, batch, keepsOriginal, ...options }: MediaUploadOptions = {},
) {
  const sha256 = await hashOf(file);
  const present = sha256 && (await findPresent(sha256, options.signal));
  if (present && (await askAboutDuplicate({ file, title: present.original_name || present.name, batch })) === 'present')
    return { name: present.name, isNew: false };
  const metadata = {
    original_name: file.name,
    ...(sha256 && { sha256 }),
    ...(folder && { folder }),
    ...(keepsOriginal && { keep_original: true }),
  };
  return { name: await sendFile({ bucket: MEDIA_BUCKET, folder: place, file, metadata }, options), isNew: true };
}

async function findPresent(sha256: string, signal?: AbortSignal) {
  const request = (await sessionApi()).rpc('find_media', { _sha256: sha256 });
  // If this fails, the upload itself says why.
  const { data } = await (signal ? request.abortSignal(signal) : request);
  return data?.[0];
}

/** Undefined where the browser does not compute it: on a site without TLS. */
async function hashOf(file: File): Promise<string | undefined> {
  if (!globalThis.crypto.subtle || file.size > MAX_HASHED_BYTES) return undefined;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns an address without the origin when the site serves it itself, so that content survives a move. */
export function contentAddress(url: string): string {
  return url.startsWith(`${window.location.origin}/`) ? url.slice(window.location.origin.length) : url;
}
