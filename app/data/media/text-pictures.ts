import { queryOptions } from '@tanstack/react-query';
import { pictureNames } from '../../lib/pictures.ts';
import { describePictures } from '../api/read-published.ts';

/** What the media library knows of the pictures in a text; null where none of ours is in it. */
export function textPicturesQuery(text: string) {
  return queryOptions({
    queryKey: ['text_pictures', pictureNames(text)],
    queryFn: async ({ signal }) => (await describePictures([{ text }], signal))[0]?.pictures ?? null,
  });
}
