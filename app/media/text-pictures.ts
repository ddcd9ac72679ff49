import { queryOptions } from '@tanstack/react-query';
import { pictureNames } from '../api/pictures.ts';
import { describePictures } from '../api/read-published.ts';

/** Reads what the media library knows of the pictures in a text; null for a text with none of ours. */
export function textPicturesQuery(text: string) {
  return queryOptions({
    queryKey: ['text_pictures', pictureNames(text)],
    queryFn: async ({ signal }) => (await describePictures([{ text }], signal))[0]?.pictures ?? null,
  });
}
