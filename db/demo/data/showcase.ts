import type { PaletteName } from '../art/palettes.ts';
import type { Motif, SceneKind } from '../art/pictures.ts';

/** One of the forty most downloaded projects, whose figures and pictures are chosen by hand. */
export interface ShowcaseEntry {
  downloads: number;
  /** Number of versions, the number of the newest release, and its age in days. */
  versions: readonly [count: number, newest: string, days_ago: number];
  motif: Motif;
  palette: PaletteName;
  /** What its gallery shows, in order; the first is what lists show. */
  scenes: readonly SceneKind[];
}

const entry = (
  downloads: number,
  versions: ShowcaseEntry['versions'],
  motif: Motif,
  palette: PaletteName,
  ...scenes: SceneKind[]
): ShowcaseEntry => ({ downloads, versions, motif, palette, scenes });

/** By slug, in order of downloads: no two look alike. */
export const showcase: ReadonlyMap<string, ShowcaseEntry> = new Map([
  [
    'lanternroot',
    entry(5_409_914, [38, '2.4.1', 3], 'frond', 'malachite', 'grotto', 'isle', 'cave', 'flock', 'ridges'),
  ],
  ['cornerpost', entry(4_620_938, [57, '5.3.2', 6], 'block', 'ochre', 'panel', 'chart')],
  ['quietstep', entry(3_871_205, [44, '3.6.0', 11], 'feather', 'slate', 'isle', 'blocks', 'panel')],
  ['nightjar', entry(2_308_447, [31, '2.2.3', 8], 'bird', 'heather', 'flock', 'forest', 'aurora')],
  ['overcast', entry(2_064_019, [22, '3.1.0', 24], 'strata', 'ice', 'ridges', 'river', 'blocks', 'harbor')],
  ['field-notes', entry(1_420_633, [24, '2.9.1', 17], 'bird', 'moss', 'flock', 'sheet', 'isle')],
  ['waymark', entry(1_284_152, [29, '4.2.0', 5], 'cairn', 'dawn', 'trail', 'chart', 'panel')],
  ['tindercase', entry(1_207_386, [41, '4.0.5', 14], 'lantern', 'cinnabar', 'panel', 'room')],
  ['hearthkeep', entry(1_083_770, [26, '2.1.4', 9], 'bowl', 'copper', 'room', 'winter', 'fields')],
  ['long-winter', entry(964_281, [21, '1.12.0', 4], 'flake', 'lapis', 'winter', 'peaks', 'aurora', 'room')],
  ['slowwater', entry(912_064, [19, '1.8.2', 21], 'wave', 'fjord', 'river', 'isle', 'chart')],
  ['footpath', entry(874_530, [16, '2.3.1', 33], 'trail', 'lichen', 'trail', 'chart')],
  ['featherframe', entry(803_118, [23, '1.14.0', 12], 'feather', 'quartz', 'blocks', 'panel')],
  ['clearwater', entry(742_655, [19, '2.0.3', 46], 'wave', 'ice', 'river', 'peaks', 'blocks', 'forest')],
  ['drystone', entry(715_209, [18, '3.4.0', 19], 'wall', 'basalt', 'wall', 'fields', 'isle')],
  ['groundwork', entry(688_473, [24, '2.7.3', 7], 'block', 'moss')],
  ['graywacke', entry(641_902, [13, '6.1.0', 28], 'wall', 'slate', 'sheet', 'wall', 'cave')],
  ['trestlework', entry(622_340, [17, '1.9.4', 16], 'gear', 'peat', 'workshop', 'panel')],
  ['snowline', entry(583_917, [15, '1.6.1', 38], 'flake', 'heather', 'peaks', 'winter', 'ridges')],
  ['plumbline', entry(561_028, [20, '2.5.0', 25], 'crystal', 'dusk')],
  ['gatehouse', entry(540_761, [18, '3.2.2', 10], 'arch', 'dawn', 'town', 'chart')],
  ['millrace', entry(512_496, [14, '1.7.0', 27], 'wheel', 'fjord', 'workshop', 'river', 'isle')],
  ['named-winds', entry(463_215, [15, '2.1.0', 52], 'compass', 'cinnabar', 'harbor', 'ridges')],
  ['low-sun', entry(447_803, [12, '2.4.0', 31], 'sun', 'copper', 'blocks', 'ridges', 'fields', 'town')],
  ['evening-shift-one', entry(398_264, [10, '1.9.0', 15], 'house', 'dusk', 'room', 'town')],
  ['inkhorn', entry(391_477, [15, '1.11.2', 22], 'book', 'lichen', 'panel')],
  ['understone', entry(372_930, [9, '1.5.0', 61], 'strata', 'quartz', 'cave', 'grotto')],
  ['copper-roofs', entry(355_186, [13, '1.4.1', 44], 'roof', 'malachite', 'town', 'sheet')],
  ['bellowsong', entry(341_649, [13, '2.2.0', 18], 'note', 'cinnabar')],
  ['millstone-type', entry(318_074, [9, '3.0.0', 57], 'type', 'basalt', 'specimen', 'panel')],
  ['kettle-and-cog', entry(296_451, [12, '1.10.1', 20], 'gear', 'copper', 'workshop', 'town', 'chart')],
  ['coldstart', entry(281_337, [16, '1.8.0', 13], 'orbit', 'lapis', 'isle')],
  ['ledgerline', entry(264_820, [14, '2.6.0', 29], 'coins', 'ochre', 'town')],
  ['alpenglow', entry(251_693, [10, '1.3.0', 63], 'ridge', 'dusk', 'peaks', 'ridges', 'aurora', 'winter')],
  ['smallholding', entry(243_158, [18, '1.6.3', 36], 'wheat', 'moss', 'fields', 'isle')],
  ['ropewalk', entry(231_706, [14, '1.5.2', 23], 'ship', 'slate', 'harbor', 'town', 'chart')],
  ['chalk', entry(219_544, [8, '2.2.0', 71], 'tiles', 'ice', 'room', 'sheet', 'panel')],
  ['hush', entry(208_391, [8, '1.4.0', 40], 'note', 'heather', 'sound', 'forest')],
  ['commons', entry(197_025, [10, '2.0.1', 26], 'bell', 'peat', 'town', 'fields', 'chart')],
  ['night-market', entry(186_912, [12, '1.3.2', 48], 'lantern', 'heather', 'town', 'aurora')],
]);
