import { createFileRoute } from '@tanstack/react-router';
import { mediaLibraryQuery } from '../media.ts';
import { MediaLibrary } from './media-library.tsx';
import { readMediaSearch } from './media-search.ts';

export const Route = createFileRoute('/_gate/admin/media')({
  validateSearch: readMediaSearch,
  loaderDeps: ({ search }) => search,
  // The loader's code is not for the first script, which every visitor loads.
  codeSplitGroupings: [['loader'], ['component']],
  // The data comes while the page's code comes, not after it. The page says what fails.
  loader: ({ context: { queryClient }, deps: { q = '', page = 1, ...filters } }) => {
    void queryClient.prefetchQuery(mediaLibraryQuery({ search: q, page, ...filters }));
  },
  component: MediaPage,
});

function MediaPage() {
  return <MediaLibrary search={Route.useSearch()} />;
}
