import type { Editor } from '@tiptap/core';
import type { Transaction } from '@tiptap/pm/state';
import { useState } from 'react';
import { useAllowed } from '../../api/host/page-policy.ts';
import { uploadMedia } from '../../media/media.ts';
import { UserError } from '../../ui/lib/user-error.ts';
import { showError } from '../../ui/show-error.ts';
import { toast } from '../../ui/toast.ts';
import { fetchPicture } from './fetch-picture.ts';
import type { PastedPicture } from './paste/paste.ts';

/** Pasted picture that is not stored on this site. */
export interface TrayPicture extends PastedPicture {
  isUploading?: boolean;
  problem?: string;
}

export interface Pictures {
  tray: readonly TrayPicture[];
  /** Inserts a picture of the library at the selection, or replaces the selected one. */
  insert: (url: string) => void;
  /** Uploads files and inserts them at a position. */
  upload: (files: readonly File[], position: number) => void;
  /** Adds the pictures of a paste. Pictures in the clipboard are uploaded immediately. */
  list: (pictures: readonly PastedPicture[]) => void;
  fetch: (picture: TrayPicture) => Promise<void>;
  remove: (picture: TrayPicture) => void;
  dismiss: (pictures: readonly TrayPicture[]) => void;
}

/**
 * Uploads pictures, and tracks pasted pictures that are not stored on this site.
 * @param unloaded receives the URLs of these pictures, which must not load before the user decides to upload them
 */
export function usePictures(editor: Editor, unloaded: Set<string>, showMessage: (message: string) => void): Pictures {
  const [tray, setTray] = useState<readonly TrayPicture[]>([]);
  const isAllowed = useAllowed('pictures');
  const change = (url: string, changes: Partial<TrayPicture>) =>
    setTray((pictures) => pictures.map((picture) => (picture.url === url ? { ...picture, ...changes } : picture)));
  const dismiss = (dismissed: readonly TrayPicture[]) =>
    setTray((pictures) => pictures.filter(({ url }) => dismissed.every((picture) => picture.url !== url)));
  const uploadFile = async (file: File) => {
    const onProgress = (share: number) => showMessage(`Uploading ${file.name}: ${Math.round(share * 100)}%`);
    onProgress(0);
    const url = await uploadMedia(file, '', { onProgress });
    showMessage('');
    toast.success('Image uploaded successfully');
    return url;
  };

  const uploadAndInsert = async (file: File, position: number) => {
    const target = trackPosition(editor, position);
    try {
      const url = await uploadFile(file);
      const content = file.type.startsWith('video/')
        ? { type: 'text', text: url }
        : { type: 'image', attrs: { src: url, alt: altTextOf(file.name) } };
      editor
        .chain()
        .insertContentAt(target.current(), { type: 'paragraph', content: [content] })
        .run();
    } catch (error) {
      showMessage('');
      showError('Upload failed', error);
    } finally {
      target.stop();
    }
  };

  const fetch = async (picture: TrayPicture) => {
    const { url, source, alt } = picture;
    if (!source) return;
    if (!source.startsWith('data:') && !isAllowed(source))
      return change(url, { problem: 'To copy pictures from other sites, reload this page over https.' });
    change(url, { isUploading: true, problem: '' });
    try {
      const newUrl = await uploadFile(await fetchPicture(source, alt));
      rewritePictures(editor, url, newUrl);
      dismiss([picture]);
    } catch (error) {
      showMessage('');
      change(url, { isUploading: false, problem: problemOf(error) });
    }
  };

  return {
    tray,
    dismiss,
    fetch,
    insert: (src) => {
      const chain = editor.chain().focus();
      if (editor.isActive('image')) chain.updateAttributes('image', { src }).run();
      else chain.insertContent({ type: 'image', attrs: { src } }).run();
    },
    upload: (files, position) => {
      for (const file of files) void uploadAndInsert(file, position);
    },
    list: (pictures) => {
      for (const { url } of pictures) unloaded.add(url);
      setTray((current) => [
        ...current.filter(({ url }) => pictures.every((picture) => picture.url !== url)),
        ...pictures,
      ]);
      for (const picture of pictures) if (picture.source?.startsWith('data:')) void fetch(picture);
    },
    remove: (picture) => {
      rewritePictures(editor, picture.url, null);
      dismiss([picture]);
    },
  };
}

/** Keeps a position up to date while the text changes. */
function trackPosition(editor: Editor, position: number) {
  let currentPosition = position;
  const follow = ({ transaction }: { transaction: Transaction }) => {
    currentPosition = transaction.mapping.map(currentPosition);
  };
  editor.on('transaction', follow);
  return { current: () => currentPosition, stop: () => editor.off('transaction', follow) };
}

/** Changes the URL of all pictures that have this URL, or removes them. Undo does not restore the old URL. */
function rewritePictures({ state, view }: Editor, url: string, newUrl: string | null): void {
  const tr = state.tr.setMeta('addToHistory', false);
  state.doc.descendants(({ type, attrs }, position) => {
    if (type.name !== 'image' || attrs['src'] !== url) return;
    const mappedPosition = tr.mapping.map(position);
    if (newUrl) tr.setNodeAttribute(mappedPosition, 'src', newUrl);
    else tr.delete(mappedPosition, mappedPosition + 1);
  });
  view.dispatch(tr);
}

/** Derives alt text from a file name: 'fjord at dawn' from 'fjord-at_dawn.png'. */
function altTextOf(fileName: string): string {
  return fileName
    .replace(/\.[^.]+$/, '')
    .replace(/[-_[\]\\]+/g, ' ')
    .trim();
}

function problemOf(error: unknown): string {
  if (error instanceof UserError) return error.message;
  return `Upload failed: ${error instanceof Error ? error.message : error}`;
}
