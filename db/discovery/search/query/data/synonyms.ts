/** Languages of the words below; a query may mix them. */
type Language = 'en' | 'de' | 'ar';

/**
 * Other words for what projects have: `category:` and `type:` name a tag, `word:` a word of titles and summaries. Words
 * and phrases are separated by commas, in any case; one may stand under several targets, and a row may name several.
 */
export const synonymRows: ReadonlyArray<readonly [target: string, words: Partial<Record<Language, string>>]> =
  [
    ['type:mod', { en: 'mod, mods', ar: 'تعديل, تعديلات, مود, مودات' }],
    [
      'type:modpack',
      { en: 'modpack, modpacks, mod pack, mod packs', de: 'modpaket', ar: 'حزمة تعديلات, حزم تعديلات' },
    ],
    ['type:plugin', { en: 'plugin, plugins, plug-in, plug-ins', ar: 'إضافة, إضافات' }],
    [
      'type:shader',
      { en: 'shader, shaders, shader pack, shader packs, shaderpack, shaderpacks', ar: 'مظلل, مظللات, شيدر' },
    ],
    [
      'type:resourcepack',
      {
        en: 'resource pack, resource packs, resourcepack, resourcepacks, texture, textures, texture pack, texture packs, texturepack, texturepacks, retexture',
        de: 'ressourcenpaket, ressourcenpakete, textur, texturen, texturenpaket',
        ar: 'حزمة موارد, حزم موارد, خامات',
      },
    ],
    [
      'type:datapack',
      {
        en: 'data pack, data packs, datapack, datapacks',
        de: 'datenpaket, datenpakete',
        ar: 'حزمة بيانات, حزم بيانات',
      },
    ],
    [
      'category:optimization',
      {
        en: 'performance, fps, lag, laggy, stutter, stuttering, optimize, optimized, optimise, optimised, optimisation',
        de: 'leistung, optimierung, ruckeln, bildrate',
        ar: 'أداء, تحسين, تحسين الأداء',
      },
    ],
    ['category:lightweight', { en: 'light weight, low end, low spec', de: 'leichtgewicht', ar: 'خفيف' }],
    [
      'category:adventure',
      {
        en: 'rpg, explore, exploring, exploration, dungeons',
        de: 'abenteuer, erkundung',
        ar: 'مغامرة, مغامرات, استكشاف',
      },
    ],
    [
      'category:challenging',
      {
        en: 'hard, harder, hardcore, difficult, difficulty, challenge',
        de: 'schwer, schwierig, herausforderung',
        ar: 'تحد, صعب',
      },
    ],
    [
      'category:combat',
      { en: 'pvp, fight, fighting, battle, weapon, weapons', de: 'kampf, kämpfe, waffen', ar: 'قتال, أسلحة' },
    ],
    [
      'category:decoration',
      {
        en: 'furniture, decor, deco, decorations, decorative',
        de: 'dekoration, deko, möbel',
        ar: 'زخرفة, ديكور, أثاث',
      },
    ],
    [
      'category:economy',
      { en: 'money, currency, trading, shops', de: 'wirtschaft, geld, handel', ar: 'اقتصاد, مال' },
    ],
    [
      'category:equipment',
      {
        en: 'armor, armour, gear, tools, weapons',
        de: 'ausrüstung, rüstung, werkzeuge',
        ar: 'عتاد, معدات, دروع',
      },
    ],
    [
      'category:food',
      { en: 'cooking, farming, crops, meals', de: 'essen, kochen, ackerbau', ar: 'طعام, طبخ, زراعة' },
    ],
    [
      'category:game-mechanics',
      { en: 'gameplay, mechanic, game mechanics', de: 'spielmechanik', ar: 'آليات اللعب' },
    ],
    ['category:kitchen-sink', { en: 'all in one, everything' }],
    [
      'category:library',
      { en: 'api, lib, libs, libraries, framework, dependency', de: 'bibliothek', ar: 'مكتبة' },
    ],
    [
      'category:magic',
      { en: 'spell, spells, wizard, wizards, witchcraft, sorcery', de: 'magie, zauber, zauberei', ar: 'سحر' },
    ],
    [
      'category:management',
      { en: 'admin, administration, moderation, permissions', de: 'verwaltung', ar: 'إدارة' },
    ],
    [
      'category:minigame',
      { en: 'minigames, mini game, mini games', de: 'minispiel, minispiele', ar: 'لعبة مصغرة, ألعاب مصغرة' },
    ],
    [
      'category:mobs',
      {
        en: 'mob, animal, animals, creature, creatures, monster, monsters, pets',
        de: 'tiere, kreaturen',
        ar: 'حيوانات, وحوش, كائنات',
      },
    ],
    ['category:multiplayer', { en: 'coop, co-op, smp', de: 'mehrspieler', ar: 'لعب جماعي, متعدد اللاعبين' }],
    ['category:quests', { en: 'quest, questing, missions', de: 'aufgaben', ar: 'مهام, مهمات' }],
    ['category:social', { en: 'chat, emotes, friends', de: 'soziales, freunde', ar: 'تواصل, دردشة' }],
    [
      'category:storage',
      {
        en: 'chest, chests, inventory, backpack, backpacks, sorting',
        de: 'lager, lagerung, truhen, rucksack',
        ar: 'تخزين, صناديق',
      },
    ],
    [
      'category:technology',
      {
        en: 'tech, machine, machines, automation, industrial, industry, engineering, electricity',
        de: 'technik, maschinen, automatisierung',
        ar: 'تقنية, آلات',
      },
    ],
    [
      'category:transportation',
      {
        en: 'transport, vehicle, vehicles, car, cars, trains, travel',
        de: 'fahrzeuge, autos, züge, reisen',
        ar: 'نقل, مركبات, سيارات, قطارات',
      },
    ],
    [
      'category:utility',
      { en: 'qol, quality of life, utilities, tools', de: 'nützliches, nützlich', ar: 'أدوات' },
    ],
    [
      'category:worldgen',
      {
        en: 'world generation, world gen, world generator, terrain, terrain generation, biome, biomes, landscape',
        de: 'weltgenerierung, gelände, landschaft',
        ar: 'توليد العالم, تضاريس',
      },
    ],
    ['category:cursed', { en: 'weird, funny, meme, memes, joke', de: 'verflucht, lustig', ar: 'غريب, مضحك' }],
    ['category:modded', { en: 'mod support', de: 'für mods' }],
    [
      'category:realistic',
      { en: 'realism, lifelike, photorealistic', de: 'realistisch', ar: 'واقعي, واقعية' },
    ],
    [
      'category:simplistic',
      { en: 'minimalist, minimalistic, plain, clean', de: 'schlicht, einfach', ar: 'بسيط' },
    ],
    ['category:themed', { en: 'theme, themes, medieval', de: 'mittelalter' }],
    ['category:tweaks', { en: 'tweak', de: 'kleinigkeiten' }],
    ['category:vanilla-like', { en: 'vanilla, vanilla plus', ar: 'قريب من الأصل' }],
    ['category:audio', { en: 'sound, sounds, music', de: 'ton, geräusche, musik', ar: 'صوت, أصوات, موسيقى' }],
    ['category:blocks', { en: 'block', de: 'blöcke', ar: 'كتل, مكعبات' }],
    ['category:core-shaders', { en: 'core shader' }],
    ['category:entities', { en: 'entity', de: 'wesen', ar: 'كيانات' }],
    [
      'category:environment',
      { en: 'sky, skies, weather', de: 'umgebung, himmel, wetter', ar: 'بيئة, سماء, طقس' },
    ],
    [
      'category:fonts',
      { en: 'font, typeface, lettering', de: 'schrift, schriften, schriftart', ar: 'خط, خطوط' },
    ],
    ['category:gui', { en: 'interface, ui, hud, menu, menus, hotbar', de: 'oberfläche', ar: 'واجهة' }],
    ['category:items', { en: 'item', de: 'gegenstände', ar: 'عناصر' }],
    [
      'category:locale',
      {
        en: 'language, languages, translation, translations',
        de: 'sprache, sprachen, übersetzung',
        ar: 'لغة, ترجمة',
      },
    ],
    ['category:models', { en: 'model, 3d', de: 'modelle', ar: 'نماذج' }],
    ['category:16x', { en: '16x16' }],
    ['category:32x', { en: '32x32' }],
    ['category:64x', { en: '64x64' }],
    ['category:128x', { en: '128x128' }],
    ['category:256x', { en: '256x256, hd' }],
    ['category:512x+', { en: '512x512, hd, 4k' }],
    ['category:cartoon', { en: 'toon, comic, cel shaded, anime', ar: 'كرتوني' }],
    ['category:fantasy', { en: 'fairytale, dreamy', ar: 'خيالي' }],
    [
      'category:atmosphere',
      { en: 'atmospheric, fog, volumetric', de: 'atmosphäre, stimmung, nebel', ar: 'أجواء, ضباب' },
    ],
    ['category:bloom', { en: 'glow, glowing', de: 'leuchten', ar: 'توهج' }],
    [
      'category:colored-lighting',
      { en: 'colored lights, coloured lights, coloured lighting', de: 'farbiges licht', ar: 'إضاءة ملونة' },
    ],
    [
      'category:foliage',
      { en: 'leaves, plants, grass', de: 'laub, blätter, pflanzen', ar: 'نباتات, أوراق الشجر' },
    ],
    ['category:path-tracing', { en: 'ray tracing, raytracing, raytraced, rtx', ar: 'تتبع المسار' }],
    ['category:pbr', { en: 'labpbr, materials' }],
    [
      'category:reflections',
      { en: 'reflection, reflective', de: 'spiegelung, spiegelungen', ar: 'انعكاسات' },
    ],
    ['category:shadows', { en: 'shadow', de: 'schatten', ar: 'ظلال' }],
    ['category:potato', { en: 'low end, low spec, toaster', de: 'kartoffel' }],
    ['category:screenshot', { en: 'screenshots, photos' }],
    [
      'word:map, word:maps, word:waypoint, word:waypoints',
      {
        en: 'map, maps, minimap, minimaps, mini map, world map, waypoint, waypoints',
        de: 'karte, karten, minikarte, wegpunkt, wegpunkte',
        ar: 'خريطة, خرائط',
      },
    ],
    ['word:light, word:lights', { en: 'light, lights, lighting', de: 'licht, lichter', ar: 'ضوء, إضاءة' }],
    ['word:recipe, word:recipes', { en: 'recipe, recipes', de: 'rezept, rezepte', ar: 'وصفة, وصفات' }],
  ];
