"""The table behind `drugs`: substances by class, brand names, other names. Facts only; no medical advice.

Sources: classes and members follow the WHO's Anatomical Therapeutic Chemical classification (ATC, WHO Collaborating Centre
for Drug Statistics Methodology), whose groups stand in brackets; spellings are International Nonproprietary Names. Brand
names are common ones of the United States, the United Kingdom and Germany. Written down from general knowledge of these,
incomplete, and different from country to country: that a name is missing says nothing about its safety.
"""

# class [ATC groups]: substances. A star marks a class within which a reaction to one is a reason to avoid the others;
# in the other classes that is only possible. The last line holds substances whose class says nothing about allergies.
CLASSES = """
penicillins* [J01C]: penicillin, amoxicillin, ampicillin, bacampicillin, pivampicillin, piperacillin, ticarcillin,
    mezlocillin, temocillin, pivmecillinam, phenoxymethylpenicillin, benzylpenicillin, propicillin, azidocillin,
    dicloxacillin, flucloxacillin, oxacillin, cloxacillin, nafcillin, sultamicillin
cephalosporins [J01DB–J01DE, J01DI]: cefalexin, cefadroxil, cefazolin, cefradine, cefuroxime, cefaclor, cefoxitin,
    cefprozil, cefotetan, cefixime, cefpodoxime, ceftriaxone, cefotaxime, ceftazidime, cefdinir, cefditoren, ceftibuten,
    cefepime, ceftaroline, ceftobiprole, cefiderocol
carbapenems* [J01DH]: meropenem, ertapenem, imipenem, doripenem
monobactams* [J01DF]: aztreonam
sulfonamide antibiotics* [J01E, A07EC01, D06BA, S01AB]: sulfamethoxazole, sulfadiazine, sulfacetamide, sulfadoxine,
    sulfasalazine
macrolides* [J01FA]: erythromycin, clarithromycin, azithromycin, roxithromycin, spiramycin, josamycin, telithromycin,
    fidaxomicin
lincosamides* [J01FF]: clindamycin, lincomycin
fluoroquinolones* [J01MA]: ciprofloxacin, levofloxacin, moxifloxacin, ofloxacin, norfloxacin, delafloxacin, gemifloxacin,
    enoxacin
tetracyclines* [J01AA]: doxycycline, minocycline, tetracycline, oxytetracycline, lymecycline, demeclocycline, tigecycline,
    eravacycline, omadacycline, sarecycline
aminoglycosides* [J01G]: gentamicin, tobramycin, amikacin, streptomycin, neomycin, kanamycin, plazomicin
glycopeptides [J01XA]: vancomycin, teicoplanin, dalbavancin, oritavancin, telavancin
nitroimidazoles* [J01XD, P01AB]: metronidazole, tinidazole, secnidazole, ornidazole
azole antifungals [J02A, D01AC]: fluconazole, itraconazole, voriconazole, posaconazole, ketoconazole, clotrimazole,
    miconazole
NSAIDs* [M01A]: ibuprofen, naproxen, diclofenac, ketoprofen, dexketoprofen, flurbiprofen, indometacin, ketorolac,
    piroxicam, meloxicam, etodolac, nabumetone, sulindac, oxaprozin, tolfenamic acid, mefenamic acid, tiaprofenic acid,
    lornoxicam, aceclofenac, celecoxib, etoricoxib, parecoxib
salicylates* [N02BA, B01AC06, A07EC02, A02BX05]: aspirin, diflunisal, salsalate, choline salicylate, bismuth
    subsalicylate, mesalazine
pyrazolones* [N02BB]: metamizole, propyphenazone, phenazone
opioids [N02A, N07BC]: morphine, codeine, dihydrocodeine, oxycodone, hydrocodone, hydromorphone, oxymorphone, fentanyl,
    tramadol, tapentadol, methadone, buprenorphine, pethidine, tilidine, piritramide, sufentanil
statins [C10AA]: atorvastatin, simvastatin, rosuvastatin, pravastatin, fluvastatin, lovastatin, pitavastatin
ACE inhibitors* [C09A]: lisinopril, ramipril, enalapril, captopril, perindopril, quinapril, benazepril, fosinopril,
    trandolapril, moexipril, cilazapril, zofenopril
ARBs [C09C]: losartan, valsartan, candesartan, irbesartan, telmisartan, olmesartan, azilsartan, eprosartan
beta blockers [C07A]: metoprolol, bisoprolol, atenolol, propranolol, carvedilol, nebivolol, sotalol, nadolol, labetalol,
    timolol
calcium channel blockers [C08]: amlodipine, nifedipine, felodipine, lercanidipine, nitrendipine, verapamil, diltiazem
diuretics [C03]: hydrochlorothiazide, chlortalidone, indapamide, furosemide, torasemide, bumetanide, spironolactone,
    eplerenone
amide local anaesthetics* [N01BB]: lidocaine, bupivacaine, ropivacaine, mepivacaine, articaine, prilocaine,
    levobupivacaine
ester local anaesthetics* [N01BA]: procaine, benzocaine, tetracaine, chloroprocaine
iodinated contrast* [V08A]: iohexol, iopamidol, iodixanol, iopromide, ioversol, iomeprol, iobitridol, diatrizoate
gadolinium contrast* [V08C]: gadobutrol, gadoterate, gadoteridol, gadobenate, gadoxetate
aromatic anticonvulsants* [N03A]: carbamazepine, oxcarbazepine, phenytoin, phenobarbital, lamotrigine, eslicarbazepine,
    primidone
SSRIs [N06AB]: sertraline, fluoxetine, citalopram, escitalopram, paroxetine, fluvoxamine
SNRIs [N06AX]: venlafaxine, duloxetine, desvenlafaxine
benzodiazepines [N05BA, N05CD, N03AE]: diazepam, lorazepam, alprazolam, clonazepam, temazepam, oxazepam, midazolam,
    bromazepam
sleeping pills [N05CF]: zolpidem, zopiclone, eszopiclone
antipsychotics [N05A]: quetiapine, olanzapine, risperidone, aripiprazole, haloperidol, clozapine
proton pump inhibitors [A02BC]: omeprazole, pantoprazole, esomeprazole, lansoprazole, rabeprazole, dexlansoprazole
H2 blockers [A02BA]: famotidine, ranitidine, cimetidine, nizatidine
biguanides [A10BA]: metformin
sulfonylureas [A10BB]: glimepiride, glipizide, gliclazide, glibenclamide
gliptins [A10BH]: sitagliptin, linagliptin, saxagliptin, vildagliptin, alogliptin
gliflozins [A10BK]: empagliflozin, dapagliflozin, canagliflozin, ertugliflozin
GLP-1 agonists [A10BJ, A10BX16]: semaglutide, liraglutide, dulaglutide, exenatide, tirzepatide
insulins [A10A]: insulin, insulin glargine, insulin lispro, insulin aspart, insulin detemir, insulin degludec
corticosteroids [H02AB, D07, R01AD, R03BA]: prednisone, prednisolone, methylprednisolone, dexamethasone, hydrocortisone,
    budesonide, fluticasone, beclometasone, mometasone, triamcinolone, betamethasone
inhaled bronchodilators [R03A, R03BB]: salbutamol, salmeterol, formoterol, tiotropium, ipratropium, terbutaline
leukotriene blockers [R03DC]: montelukast, zafirlukast
antihistamines [R06A]: cetirizine, levocetirizine, loratadine, desloratadine, fexofenadine, diphenhydramine,
    chlorphenamine, promethazine, doxylamine, hydroxyzine, dimetindene
vitamin K antagonists [B01AA]: warfarin, phenprocoumon, acenocoumarol
direct anticoagulants [B01AE, B01AF]: apixaban, rivaroxaban, dabigatran, edoxaban
heparins* [B01AB]: heparin, enoxaparin, dalteparin, tinzaparin, nadroparin, certoparin
platelet inhibitors [B01AC]: clopidogrel, ticagrelor, prasugrel
neuromuscular blockers* [M03A]: rocuronium, vecuronium, suxamethonium, atracurium, cisatracurium
bisphosphonates [M05BA]: alendronate, risedronate, ibandronate, zoledronate
triptans [N02CC]: sumatriptan, rizatriptan, zolmitriptan, eletriptan, naratriptan
PDE5 inhibitors [G04BE]: sildenafil, tadalafil, vardenafil
alpha blockers [G04CA, C02CA]: tamsulosin, doxazosin, alfuzosin, terazosin
- [others]: nitrofurantoin, trimethoprim, fosfomycin, linezolid, rifampicin, rifaximin, chloramphenicol, paracetamol,
    valproate, levetiracetam, gabapentin, pregabalin, topiramate, amitriptyline, nortriptyline, mirtazapine, trazodone,
    bupropion, lithium, methylphenidate, lisdexamfetamine, amfetamine, atomoxetine, levothyroxine, liothyronine,
    thiamazole, carbimazole, propylthiouracil, cyclobenzaprine, baclofen, tizanidine, methocarbamol, allopurinol,
    febuxostat, colchicine, aciclovir, valaciclovir, oseltamivir, nirmatrelvir, remdesivir, famciclovir, methotrexate,
    azathioprine, ciclosporin, tacrolimus, mycophenolate, hydroxychloroquine, adalimumab, ondansetron, metoclopramide,
    domperidone, dimenhydrinate, loperamide, pseudoephedrine, phenylephrine, oxymetazoline, xylometazoline,
    dextromethorphan, guaifenesin, acetylcysteine, ambroxol, estradiol, progesterone, levonorgestrel, ethinylestradiol,
    drospirenone, desogestrel, testosterone, finasteride
"""

# wider class: classes in it
WIDER = """
beta-lactams: penicillins, cephalosporins, carbapenems, monobactams
local anaesthetics: amide local anaesthetics, ester local anaesthetics
"""

# one / other: why some people who react to one, class or substance, may react to the other too
CROSS = """
penicillins / cephalosporins: a small part of those allergic to penicillins react to a cephalosporin too
penicillins / carbapenems: very few of those allergic to penicillins react to a carbapenem too
ceftazidime / aztreonam: the two share a side chain
NSAIDs / salicylates: those who react to one anti-inflammatory painkiller often react to others, aspirin among them
NSAIDs / pyrazolones: some who react to anti-inflammatory painkillers react to metamizole and its like too
salicylates / pyrazolones: some who react to aspirin react to metamizole and its like too
"""

# substances, joined by "+": brand names; …
BRANDS = """
amoxicillin + clavulanic acid: augmentin, co-amoxiclav, amoxiclav; amoxicillin: amoxil, trimox;
ampicillin + sulbactam: unasyn; piperacillin + tazobactam: zosyn, tazocin; ticarcillin + clavulanic acid: timentin;
pivmecillinam: selexid; benzylpenicillin: bicillin; phenoxymethylpenicillin: isocillin, pen-vee; flucloxacillin: floxapen;
cefalexin: keflex; cefazolin: ancef; cefuroxime: ceftin, zinnat, elobact; cefixime: suprax; cefdinir: omnicef;
ceftriaxone: rocephin; cefotaxime: claforan; ceftazidime: fortaz; cefpodoxime: vantin; cefepime: maxipime;
ceftaroline: teflaro; meropenem: merrem; ertapenem: invanz; imipenem + cilastatin: primaxin; aztreonam: azactam;
sulfamethoxazole + trimethoprim: bactrim, septra, co-trimoxazole, cotrim, septrin; sulfadiazine: silvadene, flamazine;
sulfasalazine: azulfidine, salazopyrin; azithromycin: zithromax, z-pak; clarithromycin: biaxin, klacid;
erythromycin: ery-tab; roxithromycin: rulid; fidaxomicin: dificid; clindamycin: cleocin, dalacin;
ciprofloxacin: cipro, ciproxin, ciprobay; levofloxacin: levaquin, tavanic; moxifloxacin: avelox, avalox;
doxycycline: vibramycin, doryx; minocycline: minocin; lymecycline: tetralysal; tigecycline: tygacil;
metronidazole: flagyl, clont; nitrofurantoin: macrobid, macrodantin; fosfomycin: monurol; linezolid: zyvox;
vancomycin: vancocin; fluconazole: diflucan; clotrimazole: canesten; ibuprofen: advil, motrin, nurofen, brufen, dolormin;
naproxen: aleve, naprosyn; diclofenac: voltaren, voltarol, cataflam; ketorolac: toradol; meloxicam: mobic;
piroxicam: feldene; celecoxib: celebrex; etoricoxib: arcoxia; mefenamic acid: ponstan; indometacin: indocin;
ketoprofen: orudis; aspirin: bayer aspirin, ecotrin, aspro, disprin, alka-seltzer;
aspirin + paracetamol + caffeine: excedrin, thomapyrin; bismuth subsalicylate: pepto-bismol; mesalazine: asacol, salofalk;
paracetamol: tylenol, panadol, calpol, ben-u-ron; paracetamol + dextromethorphan + phenylephrine: dayquil;
paracetamol + dextromethorphan + doxylamine: nyquil; metamizole: novalgin, analgin; oxycodone + paracetamol: percocet;
oxycodone: oxycontin; hydrocodone + paracetamol: vicodin, norco; hydromorphone: dilaudid; fentanyl: duragesic;
tramadol: ultram, tramal; tapentadol: nucynta; morphine: ms contin; pethidine: demerol; buprenorphine + naloxone: suboxone;
tilidine + naloxone: valoron; codeine + paracetamol: co-codamol, tylenol 3; aspirin + pseudoephedrine: aspirin complex;
atorvastatin: lipitor, sortis; simvastatin: zocor; rosuvastatin: crestor; pravastatin: pravachol; fluvastatin: lescol;
lisinopril: zestril, prinivil; ramipril: altace, delix; enalapril: vasotec; captopril: capoten; perindopril: coversyl;
benazepril: lotensin; quinapril: accupril; losartan: cozaar; valsartan: diovan; candesartan: atacand;
telmisartan: micardis; olmesartan: benicar; irbesartan: avapro; sacubitril + valsartan: entresto;
metoprolol: lopressor, toprol, beloc; bisoprolol: concor; atenolol: tenormin; propranolol: inderal; carvedilol: coreg;
amlodipine: norvasc; nifedipine: adalat; furosemide: lasix; spironolactone: aldactone; warfarin: coumadin;
phenprocoumon: marcumar; apixaban: eliquis; rivaroxaban: xarelto; dabigatran: pradaxa; enoxaparin: lovenox, clexane;
clopidogrel: plavix; ticagrelor: brilinta; sertraline: zoloft; fluoxetine: prozac; citalopram: celexa, cipramil;
escitalopram: lexapro, cipralex; paroxetine: paxil; venlafaxine: effexor; duloxetine: cymbalta; bupropion: wellbutrin;
mirtazapine: remeron; alprazolam: xanax; diazepam: valium; lorazepam: ativan, tavor; clonazepam: klonopin;
zolpidem: ambien; quetiapine: seroquel; olanzapine: zyprexa; risperidone: risperdal; aripiprazole: abilify;
methylphenidate: ritalin, concerta; lisdexamfetamine: vyvanse; amfetamine: adderall; atomoxetine: strattera;
carbamazepine: tegretol; oxcarbazepine: trileptal; phenytoin: dilantin; lamotrigine: lamictal; valproate: depakote;
levetiracetam: keppra; gabapentin: neurontin; pregabalin: lyrica; topiramate: topamax; sumatriptan: imitrex;
rizatriptan: maxalt; omeprazole: prilosec; esomeprazole: nexium; pantoprazole: protonix, pantozol; lansoprazole: prevacid;
famotidine: pepcid; ranitidine: zantac; metformin: glucophage; sitagliptin: januvia; empagliflozin: jardiance;
dapagliflozin: farxiga, forxiga; semaglutide: ozempic, wegovy, rybelsus; liraglutide: victoza, saxenda;
dulaglutide: trulicity; tirzepatide: mounjaro; insulin glargine: lantus; insulin lispro: humalog;
insulin aspart: novolog, novorapid; levothyroxine: synthroid, euthyrox, l-thyroxine; loperamide: imodium;
ondansetron: zofran; metoclopramide: reglan; dimenhydrinate: dramamine; ethinylestradiol + drospirenone: yasmin;
finasteride: propecia; salbutamol: ventolin, proair; fluticasone + salmeterol: advair, seretide;
budesonide + formoterol: symbicort; fluticasone: flonase; budesonide: pulmicort; tiotropium: spiriva;
montelukast: singulair; cetirizine: zyrtec; loratadine: claritin; fexofenadine: allegra, telfast; levocetirizine: xyzal;
desloratadine: aerius; diphenhydramine: benadryl; promethazine: phenergan; dimetindene: fenistil; pseudoephedrine: sudafed;
guaifenesin: mucinex; dextromethorphan + guaifenesin: robitussin; methylprednisolone: medrol; prednisone: deltasone;
allopurinol: zyloprim; alendronate: fosamax; aciclovir: zovirax; valaciclovir: valtrex; oseltamivir: tamiflu;
nirmatrelvir + ritonavir: paxlovid; adalimumab: humira; hydroxychloroquine: plaquenil; sildenafil: viagra;
tadalafil: cialis; tamsulosin: flomax; cyclobenzaprine: flexeril; lidocaine: xylocaine; lidocaine + prilocaine: emla;
bupivacaine: marcaine; procaine: novocain; articaine: septocaine, ultracain; iohexol: omnipaque; iopamidol: isovue;
iodixanol: visipaque; iopromide: ultravist; gadobutrol: gadavist
"""

# substance: other names; …
OTHER_NAMES = """
phenoxymethylpenicillin: penicillin v; benzylpenicillin: penicillin g; cefalexin: cephalexin; cefazolin: cephazolin;
aspirin: acetylsalicylic acid; paracetamol: acetaminophen, apap; salbutamol: albuterol; pethidine: meperidine;
metamizole: dipyrone; mesalazine: mesalamine; rifampicin: rifampin; glibenclamide: glyburide;
amfetamine: amphetamine, dextroamphetamine; valproate: valproic acid, divalproex; aciclovir: acyclovir;
ciclosporin: cyclosporine; thiamazole: methimazole; lidocaine: lignocaine; indometacin: indomethacin;
chlorphenamine: chlorpheniramine; suxamethonium: succinylcholine; levothyroxine: thyroxine; clavulanic acid: clavulanate
"""

# class: what people call it; …
SPOKEN = """
penicillins: penicillin; beta-lactams: beta-lactam, beta lactam, beta lactams;
cephalosporins: cephalosporin, cephalosporine; carbapenems: carbapenem;
sulfonamide antibiotics: sulfa, sulpha, sulfa drugs, sulfa antibiotics, sulfonamide, sulfonamides, sulphonamides;
macrolides: macrolide; fluoroquinolones: quinolone, quinolones, fluoroquinolone; aminoglycosides: aminoglycoside;
NSAIDs: nsaid, anti-inflammatories; salicylates: salicylate; opioids: opioid, opiate, opiates; statins: statin;
ACE inhibitors: ace inhibitor; ARBs: arb; beta blockers: beta blocker, beta-blockers, beta-blocker;
local anaesthetics: local anaesthetic, local anesthetic, local anesthetics;
iodinated contrast: contrast, contrast dye, contrast media, iodine contrast, iodinated contrast media;
gadolinium contrast: gadolinium; SSRIs: ssri; benzodiazepines: benzodiazepine; corticosteroids: corticosteroid
"""
