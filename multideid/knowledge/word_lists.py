"""English word lists of this project, where no package has a suitable one.

Lower case throughout. Compiled by hand from general knowledge of clinical
English; no entry comes from a corpus.
"""

from __future__ import annotations

MONTHS = """
    january february march april may june july august september october november december
    jan feb mar apr jun jul aug sep sept oct nov dec
"""

WEEKDAYS = """
    monday tuesday wednesday thursday friday saturday sunday
    mon tue tues wed weds thu thur thurs fri sat sun
"""

# Before a name (dr, mrs) and after it (md, rn), without periods.
TITLES = """
    mr mrs ms miss mister madam mme messrs sir dr drs doctor doctors prof professor rev reverend
    father sister brother rabbi pastor nurse attending resident fellow intern surgeon
    judge captain capt lieutenant lt sergeant sgt colonel major officer
    md do phd dds dmd dpm rn np pa pac lpn lvn crna cnm cnp aprn arnp fnp msw lcsw licsw rph
    pharmd dpt pt ot mph mba facs facp facc psyd esq jr sr ii iii iv
"""

HOSPITAL_WORDS = """
    hospital hospitals hosp infirmary clinic clinics medical center centre centers centres health
    healthcare sanatorium sanitarium hospice rehab rehabilitation nursing home pavilion institute
    memorial general regional community university children's veterans va saint st mercy
    ward unit wing icu
"""

NATIONALITIES = """
    afghan albanian algerian american angolan argentine argentinian armenian australian austrian
    azerbaijani bahamian bangladeshi barbadian belarusian belgian belizean bolivian bosnian
    brazilian british bulgarian burmese cambodian cameroonian canadian chilean chinese colombian
    congolese croatian cuban cypriot czech danish dominican dutch ecuadorian egyptian english
    eritrean estonian ethiopian filipino finnish french georgian german ghanaian greek grenadian
    guatemalan guyanese haitian honduran hungarian icelandic indian indonesian iranian iraqi irish
    israeli italian ivorian jamaican japanese jordanian kazakh kenyan korean kurdish kuwaiti
    laotian latvian lebanese liberian libyan lithuanian macedonian malaysian maltese mexican
    moldovan mongolian moroccan nepalese nicaraguan nigerian norwegian pakistani palestinian
    panamanian paraguayan persian peruvian polish portuguese romanian russian rwandan salvadoran
    samoan saudi scottish senegalese serbian sicilian singaporean slovak slovenian somali spanish
    sudanese swedish swiss syrian taiwanese tanzanian thai tibetan tongan trinidadian tunisian
    turkish ugandan ukrainian uruguayan uzbek venezuelan vietnamese welsh yemeni zambian
    zimbabwean hispanic latino latina african asian european caucasian
"""

# Surnames used as terms: "Foley" on a ward is a catheter.
EPONYMS = """
    achilles addison adson alzheimer apgar asherman asperger babinski bailey baker balkan
    barlow barre barrett bartholin barton basedow behcet bell bence bennett
    berger bernard bielschowsky billroth binet bishop blalock blumberg boerhaave bouchard bovie
    bowen bowman breslow bright broca brodie brown-sequard brudzinski bruce budd buerger
    burkitt buck bier balfour bookwalter burow bankart bristow
    caroli carpal celsius charcot chagas charlson cheyne chiari child chvostek clark colles conn
    coombs cooper cori cowden crohn cushing chopart cobb cordis codman coude
    dandy darier deaver debakey dercum descemet dix doppler douglas down dressler duchenne duke
    dukes dupuytren dandy-walker duret dieulafoy
    ebstein eisenmenger epley epstein erb eustachian ewing ehlers ewart
    fabry fahrenheit fallopian fallot fanconi felty finkelstein finney fitz flack foley fontan
    forestier fournier fowler fox frank freiberg frey friedreich froment fuchs fogarty frazier
    fraser french
    galeazzi gardner gaucher gerota gilbert gilles glasgow gleason glenn glisson golgi goodpasture
    goodell gottron gram grave graves greenfield grey guillain gunther guyon gelpi goldmann
    graefe gigli guedel
    hageman hallpike harrington harris hartmann hashimoto hasselbach heberden hegar heimlich
    heineke heinz heister hemovac henle henoch henry herrick hesselbach hickman hill hippel
    hirschsprung his hodgkin hoffman hoffmann holter homans horner howell humphrey hunt hunter
    huntington hurler hutchinson hurthle hohmann hulka hasson haney
    ishihara jackson jacksonian jaeger janeway jefferson jervell jobst johnson jones judkins
    judet kaposi kartagener kasabach kawasaki kayser kegel keith kelly kelley kent kerley
    kernig kienbock killip kimmelstiel kirschner klatskin kleihauer klinefelter klippel kocher
    koch koplik korotkoff korsakoff krebs krukenberg kupffer kussmaul keller kerrison
    kittner keith-wagener
    lachman laennec lambert lambl langerhans langhans lasegue leber ledderhose legg
    leriche lesch levin levine lewy leydig lhermitte libman lisfranc littre locke lown ludloff
    ludwig lugol luschka lyme lynch lembert lebsche luer lange lahey liston
    madelung mallory mantoux marcus marfan marjolin marshall martin maze mcburney mccune
    mcgill mcgrath mcintosh mcmurray meckel meige meigs mendelson meniere merkel mikulicz miller
    mobitz mohs mondor monro monteggia montgomery moro morton morquio munchausen murphy
    mustard mallampati metzenbaum mayo macintosh mersilene metz mcvay malecot marcy
    neer nelson nissen norwood norton naegele nicola nitze
    ochsner ogilvie ollier ortner osgood osler osborn osborne oddi ommaya
    paget pancoast papanicolaou papez parkinson parks payr pean penrose perthes peyer peyronie
    phalen pick pierre plummer poland pompe potain pott potter pratt prader prinzmetal
    purkinje pfannenstiel palmaz prolene pringle
    queckenstedt quincke ramsay rankin ranson rathke raynaud recklinghausen reed
    reiter rett reye richter riedel rinne robin rokitansky rolando romano romberg rorschach
    rotor roth rouget roux rovsing russell roeder richardson raney
    sachs scarpa scheie schick schilling schirmer schlemm schmorl schober schwann seldinger
    sengstaken sertoli sever sharp sheehan shirodkar shone shy sims sipple sjogren skene smith
    snellen spitz spurling starling stargardt steele stein steinert stensen stevens stewart still
    stokes sturge sudeck swan sydenham syme symes sorensen shiley
    steinmann senn salter scott sengstaken-blakemore
    takayasu takotsubo tay tenckhoff thomas thompson tietze tinel todd tourette toupet towne
    trendelenburg treves trousseau turner tzanck taussig toomey tenon
    valsalva vater veress vincent virchow volkmann vicryl venturi
    waldenstrom walker wallenberg wangensteen warthin waterhouse waterston weber wegener
    wenckebach wermer wernicke wharton whipple whitmore wiener williams wilms wilson
    wirsung wiskott wolf wolff wood wormian wright westergren weitlaner wallace
    yankauer young zenker ziehl zollinger zellweger
"""

# Common on wards, capitalized there, and missing from general word lists.
CLINICAL_TERMS = """
    abd abg acetaminophen albuterol amiodarone amlodipine ancef angio antecubital apneic aspirin
    ativan atorvastatin atrovent augmentin azithromycin bactrim betadine bilat bmp bronchoscopy
    bun cabg captopril cardizem carvedilol cath ceftriaxone celebrex chem cholecystectomy cipro
    coban kerlix webril monocryl integrilin protamine
    ciprofloxacin clonidine clopidogrel codeine colace colonoscopy compazine coumadin cpr
    creatinine cozaar cta cxr cva darvocet decadron demerol depakote dexamethasone digoxin dilantin
    dilaudid diltiazem diovan ditropan doxycycline duoneb ecg echocardiogram echo edema effexor ekg
    elavil enalapril esophagogastroduodenoscopy etoh exam extremities fentanyl flagyl flexeril
    flonase folate furosemide gabapentin gentamicin glipizide glucophage glucotrol haldol heent
    hematocrit hemoglobin heparin humalog hydralazine hydrochlorothiazide hydrocodone ibuprofen
    imdur inderal insulin ioban keflex kenalog keppra klonopin lantus lasix levaquin levothyroxine
    lexapro lidocaine lipitor lisinopril lithium lopressor lortab lovenox marcaine medrol meds
    metformin methadone metoprolol midazolam monocryl morphine motrin mrsa naprosyn narcan
    neurontin nexium nitroglycerin norvasc omeprazole oxycodone paxil penicillin percocet
    phenergan plavix pravachol prednisone prevacid prilosec propofol protonix prozac reglan
    remeron restoril risperdal robaxin rocephin seroquel singulair sulfa synthroid tegretol
    tenormin toprol toradol tramadol trazodone tylenol ultram unasyn valium vancomycin vasotec
    versed vicodin vioxx wellbutrin xanax xylocaine zantac zestril zithromax zocor zofran zoloft
    zosyn zyprexa zyrtec
"""
