/** Vocabulary of titles and summaries of the generated catalogue, most common first (drawn by Zipf). */
export const domain = `
  craft world magic tools farm better ore storage map light more chest villager biome armor sword forest
  simple building dungeon furnace redstone animal enchant extra potion crop weather sky cave mine block tree garden village nether
  ender dragon horse ship boat rail train portal teleport home lantern torch candle lamp glass window door roof brick
  stone marble granite copper iron gold silver steel crystal gem ruby emerald sapphire quartz amber coral ocean river
  lake island beach desert savanna jungle swamp tundra mountain volcano valley canyon meadow field winter summer autumn
  spring snow rain storm thunder wind cloud fog sun moon star night day season clock calendar compass atlas path road
  bridge tower castle temple ruin tomb crypt vault treasure loot relic artifact rune spell wand staff book scroll quill
  library sound music drum bell note jukebox voice chat emote skin cape hat mask banner flag paint dye color shader
  texture model animation particle shadow reflection bloom water lava fire smoke steam gear pipe cable wire battery
  engine machine factory drill pump crusher smelter forge anvil hammer axe pickaxe shovel hoe bow arrow quiver shield
  spear trident helmet boots glove ring amulet backpack pouch barrel crate shelf drawer hopper sorter filter elevator
  ladder rope hook grapple glider wing parachute balloon rocket orbit planet space void echo sculk warden golem zombie
  skeleton spider creeper slime phantom wolf cat fox bear bird parrot chicken cow sheep pig rabbit bee butterfly fish
  shark whale turtle frog mushroom flower vine moss fern berry apple bread cake soup stew tea coffee kitchen feast
  tavern market shop trade coin bank auction guild quest level skill class party duel arena league race puzzle trap
  lock key signal switch timer counter radar beacon anchor inventory hotbar tooltip menu screen zoom camera minimap
  waypoint marker border claim permission log backup lag memory cache thread chunk loader core`
  .trim()
  .split(/\s+/);

/** Syllables of invented names: beginning, middle, end. */
export const beginnings =
  `ar bel bri cal cor dra el fen gal har is jor kal lor mal nor or pel quor rav sel tor ul ver wyn
  xan yor zel thal bram gro kry lum mor nym oss pra rho syl tav vex`
    .trim()
    .split(/\s+/);
export const middles = `a e i o u ae ia or an en il um ar al ith os ev`.split(' ');
export const endings =
  `dor len mir nox ra ris ron thas tica tra us vale via wick yra zen bane dell fell gard heim lith
  mont quil reth stad wyn ium ix`
    .trim()
    .split(/\s+/);

export const cjk =
  `地図 ランタン 魔法 世界 工場 森 村人 水 光源 建築 农场 矿石 附魔 光影 背包 机械 冒险 季节 도구 농장 마법 지도 저장
  생물 건축`
    .trim()
    .split(/\s+/);
export const cyrillic =
  `Магия Ферма Фонарь Карта Деревня Башня Руда Печь Лес Буря Клад Мельница Зелья Оружие Погода`.split(' ');
export const accented =
  `Éclairage Forêt Château Über Müller Größe Señor Jardín Lumière Crème Ørsted Łódź Ægir Straße
  Façade Piñata`
    .trim()
    .split(/\s+/);

/** Templates of summaries: each * is replaced by a word. */
export const sentences = [
  'Adds * and * to your world',
  'Makes * work together with *',
  'A simple way to keep your * in order',
  'New kinds of *, * and *',
  'Shows * on the screen while you look for *',
  'Turns every * into *',
  'Less lag from * and *',
  'Lets you carry * without *',
  'A small * about * and *',
  'Everything * needs: *, * and more',
  'Configurable * for servers with many kinds of *',
  'Brings back the old *',
];
