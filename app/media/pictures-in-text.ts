import { queryOptions } from '@tanstack/react-query';
import { pictureNames } from '../api/pictures.ts';
import { describePictures } from '../api/read-published.ts';

/** Reads the metadata of the library pictures in a text. Returns null if the text contains no pictures. */
export function textPicturesQuery(text: string) {
  return queryOptions({
    queryKey: ['text_pictures', pictureNames(text)],
    queryFn: async ({ signal }) => (await describePictures([{ text }], signal))[0]?.pictures ?? null,
  });
}
