import { queryOptions } from '@tanstack/react-query';
import { pictureNames } from '../api/pictures.ts';
import { describePictures } from '../api/read-published.ts';

/** Reads the library data of the pictures in a text. Returns null if it contains no pictures. */
export function textPicturesQuery(text: string) {
  return queryOptions({
    queryKey: ['text_pictures', pictureNames(text)],
    queryFn: async ({ signal }) => (await describePictures([{ text }], signal))[0]?.pictures ?? null,
  });
}
