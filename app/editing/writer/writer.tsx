import { clsx } from 'clsx';
import { useRef, useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { lazy } from '../../ui/lazy.tsx';
import { Tab, TabList, TabPanel, Tabs } from '../../ui/tabs.tsx';
import { type FullScreen, useFullScreen } from './use-full-screen.ts';
import { useIsWide } from './use-is-wide.ts';
import { useWriter, type WriterTools } from './use-writer.ts';
import { WriterArea } from './writer-area.tsx';
import { WriterLength } from './writer-length.tsx';
import { PreviewBeside, WriterPreview } from './writer-preview.tsx';
import { WriterToolbar } from './writer-toolbar.tsx';

const FindBar = lazy(() => import('./find-bar.tsx'));
const LinkBar = lazy(() => import('./link-bar.tsx'));
const PictureTray = lazy(() => import('./picture-tray.tsx'));

/** Minimum width for two readable columns. */
const SIDE_BY_SIDE_PX = 640;

interface WriterProps {
  name: string;
  title: string;
  registration: UseFormRegisterReturn;
}

/** Text area with toolbar and preview. The same text area is used in all views to keep its undo history. */
export function Writer({ name, title, registration }: WriterProps) {
  const root = useRef<HTMLDivElement>(null);
  const [chosenView, setView] = useState('write');
  const isWide = useIsWide(root, SIDE_BY_SIDE_PX);
  const view = chosenView === 'beside' && !isWide ? 'write' : chosenView;
  const fullScreen = useFullScreen(root);
  const tools = useWriter(() => view === 'preview' && setView('write'));
  return (
    <Tabs
      ref={root}
      value={view}
      onValueChange={setView}
      {...(fullScreen.isFull && { role: 'dialog', 'aria-modal': true, 'aria-label': `${title}, full screen` })}
      onKeyDown={(event) => {
        if (!fullScreen.isFull || event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        fullScreen.leave();
      }}
      className={clsx(
        'min-w-0 gap-0! bg-surface',
        fullScreen.isFull
          ? 'fixed inset-0 z-40 h-dvh grid-rows-[auto_1fr] overflow-y-auto'
          : 'rounded-md border border-line-strong',
      )}
    >
      <TabList className="px-1.5">
        <Tab value="write">Write</Tab>
        <Tab value="preview">Preview</Tab>
        {isWide && <Tab value="beside">Side by side</Tab>}
      </TabList>
      <TabPanel
        value={view === 'beside' ? 'beside' : 'write'}
        forceMount
        // The toolbar is the next tab stop.
        tabIndex={-1}
        className="grid min-h-0 min-w-0 grid-rows-[auto_auto_1fr_auto_auto] data-[state=inactive]:hidden"
      >
        <WriteView {...{ name, title, registration, tools, fullScreen }} isBeside={view === 'beside'} />
      </TabPanel>
      <TabPanel value="preview" className="min-h-80 px-4 py-5 sm:px-6">
        <WriterPreview name={name} />
      </TabPanel>
      <input
        ref={tools.fileInput}
        type="file"
        accept="image/*,video/mp4,video/webm"
        multiple
        hidden
        aria-label="Pictures to insert"
        onChange={(event) => {
          tools.pictures.upload([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </Tabs>
  );
}

interface WriteViewProps extends WriterProps {
  tools: WriterTools;
  fullScreen: FullScreen;
  isBeside: boolean;
}

/** Toolbar with its popovers, text, optional preview, and status messages. */
function WriteView({ name, title, registration, tools, fullScreen, isBeside }: WriteViewProps) {
  const { area, pictures, link } = tools;
  const { isFull } = fullScreen;
  return (
    <>
      <WriterToolbar
        onCommand={tools.run}
        onMore={tools.showMore}
        onFind={tools.find}
        isFull={isFull}
        onFullScreen={() => {
          fullScreen.toggle();
          tools.backToText();
        }}
      />
      <div className="grid min-w-0">
        {tools.isFinding && <FindBar name={name} area={area} onShow={tools.setFound} onClose={tools.endFinding} />}
        {link && (
          <LinkBar
            key={`${link.from} ${link.to}`}
            draft={link}
            onInsert={tools.endLink}
            onClose={() => tools.endLink()}
          />
        )}
      </div>
      <div className={clsx('grid min-h-0 min-w-0', isBeside && 'grid-cols-2')}>
        <div className={clsx('relative', isFull && 'mx-auto w-full', isFull && !isBeside && 'max-w-3xl')}>
          <WriterArea
            registration={registration}
            tools={tools}
            className={clsx(
              isFull ? 'h-full min-h-60 resize-none px-5 outline-none!' : 'resize-y',
              isBeside && !isFull && 'min-h-[30rem]',
            )}
            // The field's label is inert in full screen.
            label={isFull ? title : undefined}
          />
        </div>
        {isBeside && <PreviewBeside name={name} area={area} />}
      </div>
      <div className="flex flex-wrap items-start justify-between gap-x-4 px-3.5 pt-1.5 pb-2">
        <p role="status" className="text-sm text-muted">
          {pictures.uploading > 0 ? `Uploading ${pictures.uploading === 1 ? 'file' : 'files'}...` : tools.message}
        </p>
        <WriterLength name={name} />
      </div>
      <div className={clsx('grid min-w-0', isFull && 'max-h-[40dvh] overflow-y-auto')}>
        {pictures.tray.length > 0 && <PictureTray pictures={pictures} />}
      </div>
    </>
  );
}
