import { Drawing } from '../../ui/drawing.tsx';

/** Drawing of one step for narrow screens, in the form of a sea mark. */
interface SeaMark {
  name: string;
  shapes: string;
}

const STEM = '<path d="M36 76v80" stroke="var(--line-strong)" stroke-width="1.5"/>';

const SEA_MARKS: readonly SeaMark[] = [
  {
    name: 'Signal',
    shapes:
      `${STEM}<g fill="none" stroke="var(--signal)" stroke-width="1.5">` +
      '<circle class="system-ring" cx="36" cy="56" r="12"/><circle class="system-ring" cx="36" cy="56" r="21" opacity=".5"/></g>' +
      '<circle cx="36" cy="56" r="6" fill="var(--signal)"/>',
  },
  {
    name: 'Line',
    shapes:
      `${STEM}${drawCard(4, 32, 64, 46, 7)}<g stroke="var(--line-strong)" stroke-width="3" stroke-linecap="round">` +
      '<path d="M15 46h42"/><path d="M15 55h34"/><path d="M15 64h22" stroke="var(--accent)"/></g>' +
      drawCover('first', 12, 43, 48, 6) +
      drawCover('second', 12, 52, 48, 15),
  },
  {
    name: 'Answer',
    shapes:
      `${STEM}<g class="system-answer"><path d="M12 34h48a8 8 0 0 1 8 8v20a8 8 0 0 1-8 8H32l-12 10V70h-8a8 8 0 0 1-8-8V42a8 8 0 0 1 8-8z" ` +
      'fill="var(--accent-soft)" stroke="var(--accent)" stroke-width="1.5"/>' +
      '<g fill="var(--accent)"><circle cx="24" cy="52" r="3"/><circle cx="36" cy="52" r="3"/><circle cx="48" cy="52" r="3"/></g></g>',
  },
  {
    name: 'Meeting',
    shapes:
      `${STEM}${drawCard(6, 30, 60, 50, 7)}<path d="M6 43h60" stroke="var(--line-strong)"/>` +
      '<path d="M20 26v8M52 26v8" stroke="var(--line-strong)" stroke-width="3" stroke-linecap="round"/>' +
      `<g fill="var(--line)">${[14, 30, 46].map((x) => [49, 64].map((y) => `<rect x="${x}" y="${y}" width="12" height="11" rx="2"/>`).join('')).join('')}</g>` +
      '<rect class="system-meeting" x="30" y="64" width="12" height="11" rx="2" fill="var(--accent)"/>',
  },
];

/** Weekdays with the x position of their calendar column. */
const DAYS = ['M', 'T', 'W', 'T', 'F'].map((day, index) => ({ day, x: 192 + index * 46 }));
const OTHER_ENTRIES = [
  { x: 192, y: 476, height: 18 },
  { x: 238, y: 498, height: 28 },
  { x: 284, y: 476, height: 34 },
  { x: 330, y: 510, height: 16 },
  { x: 376, y: 484, height: 22 },
];

/** Drawing for wide screens. It connects the four steps with their texts, down to the water. */
const SCENE =
  // Lines that connect the parts.
  '<g fill="none" stroke="var(--accent)" stroke-width="1.5"><path d="M28 82v74a12 12 0 0 0 12 12h16"/>' +
  '<path d="M84 232v52a12 12 0 0 0 12 12h24"/><path d="M148 332v84a12 12 0 0 0 12 12h20"/></g>' +
  '<g stroke="var(--line-strong)" stroke-width="1.5"><path d="M216 536v120M396 536v120"/></g>' +
  '<g fill="var(--accent)"><circle class="system-step" data-step="line" cx="56" cy="168" r="4"/>' +
  '<circle class="system-step" data-step="answer" cx="120" cy="296" r="4"/>' +
  '<circle class="system-step" data-step="meeting" cx="180" cy="428" r="4"/></g>' +
  drawCard(0, 10, 276, 72, 12) +
  '<g fill="none" stroke="var(--signal)" stroke-width="1.5"><circle class="system-ring" cx="38" cy="46" r="11"/>' +
  '<circle class="system-ring" cx="38" cy="46" r="19" opacity=".5"/></g><circle cx="38" cy="46" r="5" fill="var(--signal)"/>' +
  drawLabel(74, 38, 'Signal found') +
  drawText(74, 61, 'New office in Bergen') +
  drawCard(56, 124, 300, 108, 12) +
  drawLabel(78, 152, 'Line written') +
  drawText(78, 180, 'Congratulations on Bergen.') +
  drawText(78, 205, 'Who fills its calendar?') +
  drawCover('first', 76, 163, 240, 24) +
  drawCover('second', 76, 188, 240, 24) +
  // Reply, with a dashed outline where it appears.
  '<rect x="121" y="265" width="268" height="66" rx="11" fill="none" stroke="var(--line-strong)" stroke-dasharray="3 5"/>' +
  '<g class="system-answer"><rect x="120" y="264" width="270" height="68" rx="12" fill="var(--accent-soft)" stroke="var(--accent)"/>' +
  drawLabel(142, 290, 'Answer') +
  drawText(142, 314, 'No one yet. Thursday at ten?') +
  '</g>' +
  drawCard(180, 372, 252, 164, 12) +
  drawLabel(200, 400, 'Meeting') +
  `<g class="system-meeting">${drawText(200, 424, 'Thursday, 10:00')}</g>` +
  '<path d="M180 440h252" stroke="var(--line)"/>' +
  DAYS.map(({ day, x }) => `<text class="system-day" x="${x + 20}" y="460">${day}</text>`).join('') +
  `<g fill="var(--sunken)" stroke="var(--line)">${OTHER_ENTRIES.map(({ x, y, height }) => `<rect x="${x}" y="${y}" width="40" height="${height}" rx="4"/>`).join('')}</g>` +
  '<g class="system-meeting"><rect x="330" y="470" width="40" height="34" rx="5" fill="var(--accent)"/>' +
  '<text class="system-hour" x="350" y="491">10:00</text></g>';

/**
 * Illustrates the service: a signal, the message, the answer and the meeting. The animation starts and ends with the
 * complete drawing.
 */
export default function LivingSystem() {
  return (
    <div className="absolute inset-x-0 top-0 bottom-0">
      <div className="page-grid absolute inset-x-0 bottom-[45%] flex justify-between lg:hidden">
        {SEA_MARKS.map(({ name, shapes }) => (
          <div key={name} className="grid justify-items-center">
            <span className="relative z-10 translate-y-5 rounded-sm bg-canvas px-1.5 font-mono text-label text-muted md:translate-y-7">
              {name}
            </span>
            <Drawing viewBox="0 0 72 106" className="w-18 md:w-28" shapes={shapes} />
          </div>
        ))}
      </div>
      <Drawing
        viewBox="-1 0 435 600"
        preserveAspectRatio="xMaxYMax"
        className="absolute right-[max(clamp(1.25rem,4vw,3rem),calc(50%-600px))] bottom-[42%] h-[228%] w-(--scene) max-lg:hidden"
        shapes={SCENE}
      />
    </div>
  );
}

function drawCard(x: number, y: number, width: number, height: number, radius: number): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="var(--surface)" stroke="var(--line-strong)" stroke-opacity=".55"/>`;
}

function drawLabel(x: number, y: number, text: string): string {
  return `<text class="system-label" x="${x}" y="${y}">${text}</text>`;
}

function drawText(x: number, y: number, text: string): string {
  return `<text class="system-words" x="${x}" y="${y}">${text}</text>`;
}

/** Hides a line of text until it is animated. */
function drawCover(line: 'first' | 'second', x: number, y: number, width: number, height: number): string {
  return `<rect class="system-cover" data-line="${line}" x="${x}" y="${y}" width="${width}" height="${height}" fill="var(--surface)"/>`;
}
