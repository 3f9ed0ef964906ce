"""Mock server of api37.md: mock.py FILE.h5|FILE.csv|synthetic:N [--port P]. Prints the address."""
import base64, csv, io, json, os, re, secrets, struct, subprocess, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit, parse_qs
import numpy as np, h5py, soundfile
from scipy.signal import get_window
ROOT=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RES=os.environ.get("RES",os.path.join(ROOT,"Sources/DatasetBrowser/Resources"))
F=sys.argv[1]; PORT=int(sys.argv[sys.argv.index("--port")+1]) if "--port" in sys.argv else 0
TOKEN=secrets.token_hex(8); SLOW=float(os.environ.get("SLOW","0"))
def colours():
    for l in open(os.path.join(ROOT,"Sources/Plotting/Resources/matplotlib.txt")):
        p=l.split()
        if p and p[0]=="magma": return base64.b64encode(bytes.fromhex("".join(p[1:]))).decode()
def txt(a): return [x.decode("utf-8") if isinstance(x,bytes) else str(x) for x in a]
class D: pass
def load():
    d=D(); d.stamp=os.stat(F).st_mtime_ns if os.path.exists(F) else 0; d.ann=[]
    if F.startswith("synthetic:"):
        n=int(F.split(":")[1]); r=np.random.default_rng(0)
        d.n=n; d.f=0; d.id=[f"site{i%17:02d}/rec{i//50:06d}_{i%50:02d}" for i in range(n)]; d.path=[f"site{i%17:02d}/rec{i//50:06d}.wav" for i in range(n)]
        d.labelnames=[f"species {i:03d}" for i in range(120)]; d.labels=[[int(x)] for x in r.integers(0,120,n)]; d.splits=["test","train","valid"]; d.split=r.integers(0,3,n).tolist()
        d.dur=np.round(r.gamma(2,1,n),3).tolist(); d.start=[float(i%50*3) for i in range(n)]; d.frames=(np.array(d.dur)*100).astype(int).tolist()
        d.cols={"site":[f"site{i%17:02d}" for i in range(n)],"recorder":[f"AM-{x}" for x in r.integers(1,40,n)]}
        d.peak=(-r.gamma(2,4,n)).round(1).tolist(); d.rms=[p-15 for p in d.peak]; d.floor=r.random(n).round(3).tolist(); d.fail=[]
        d.bins=80; d.kind="features"; d.units="dB"; d.long="mel spectrogram"; d.fp=.01; d.ft=.0125; d.freq=np.geomspace(100,8000,80).tolist(); d.scale="mel"; d.range=[-80,0]; d.rate=[8000]*n; d.ch=[1]*n; d.multi=False
        s=r.normal(-.5,.3,n).clip(-1,1).round(3); d.score=s.tolist(); o=np.argsort(-s)
        d.order=o.tolist(); d.reasons={}; d.sugg={}
        d.pairs=[{"a":int(o[i]),"b":int(o[i+1]),"similarity":round(1-i/3000,4),"splits":i%3==0,"equal":i<5} for i in range(0,1000)]
        d.fl=None; d.name=F; return d
    if F.endswith(".csv"):
        rows=list(csv.DictReader(open(F))); d.kind="manifest"; n=d.n=len(rows); d.f=0; d.name=os.path.basename(F)
        d.id=[r.get("id") or os.path.splitext(r["path"])[0] for r in rows]; d.path=[r["path"] for r in rows]
        multi="labels" in rows[0]; L=[[x for x in (r.get("labels","").split("|") if multi else [r.get("label","")]) if x] for r in rows]
        d.labelnames=sorted({x for l in L for x in l}); ix={x:i for i,x in enumerate(d.labelnames)}; d.labels=[[ix[x] for x in l] for l in L]; d.multi=multi
        d.splits=sorted({r.get("split","") for r in rows}-{""}); d.split=[d.splits.index(r["split"]) if r.get("split") else -1 for r in rows]
        d.start=[float(r.get("start") or 0) for r in rows]; d.dur=[float(r["end"])-float(r.get("start")or 0) if r.get("end") else None for r in rows]; d.frames=[None]*n
        d.cols={c:[r[c] or "" for r in rows] for c in rows[0] if c not in ("id","path","label","split","start","end","duration","labels")}
        d.peak=[None]*n; d.rms=[None]*n; d.floor=[None]*n; d.fail=[]; d.score=None; d.rate=[None]*n; d.ch=[None]*n
        d.bins=0; d.units=""; d.long=""; d.fp=None; d.ft=None; d.freq=None; d.scale=None; d.range=None; d.fl=None; d.pairs=[]; d.order=[]; d.reasons={}; d.sugg={}
        return d
    h=h5py.File(F,"r"); c=h["clips"]; d.kind="features"; d.name=os.path.basename(F)
    d.n=len(c["id"]); fa=h["failures"]; d.f=len(fa["id"])
    d.id=txt(c["id"][:])+txt(fa["id"][:]); d.path=txt(c["path"][:])+txt(fa["path"][:]); d.labelnames=txt(h["labels"][:])
    d.multi="label_matrix" in c
    if d.multi: d.labels=[np.nonzero(r)[0].tolist() for r in c["label_matrix"][:]]
    else: d.labels=[[int(x)] if x>=0 else [] for x in c["label_index"][:]]
    d.labels+=[[]]*d.f
    sp=txt(c["split"][:]); d.splits=sorted(set(sp)-{""}); d.split=[d.splits.index(s) if s else -1 for s in sp]+[-1]*d.f
    d.start=c["start"][:].tolist()+[0]*d.f; d.dur=c["duration"][:].tolist()+[None]*d.f; d.fs=c["frame_start"][:]; d.fc=c["frame_count"][:]; d.frames=d.fc.tolist()+[None]*d.f
    d.rate=c["sample_rate"][:].tolist()+[None]*d.f; d.ch=c["channels"][:].tolist()+[None]*d.f
    d.cols={k:txt(v[:])+[""]*d.f for k,v in c["extra"].items()}
    d.X=h["features"][:].reshape(-1,h["features"].shape[-1]); d.bins=d.X.shape[1]; a=h["features"].attrs; d.units=str(a["units"]); d.long=str(a["long_name"]); d.fp=float(a["frame_period"]); d.ft=float(a["first_frame_time"])
    d.freq=h["frequency"][:].tolist() if "frequency" in h else None; d.scale="linear" if d.bins>200 else "mel"
    d.range=[float(x) for x in np.percentile(d.X,[2,99.9])]; lo=d.X.min()
    d.floor=[float((d.X[s:s+k]<=lo+1e-3).mean()) for s,k in zip(d.fs,d.fc)]+[None]*d.f
    d.peak=[None]*(d.n+d.f); d.rms=[None]*(d.n+d.f)
    for i in range(d.n): level(d,i)
    d.fail=[None]*d.n+[{"stage":s,"kind":k,"reason":r} for s,k,r in zip(txt(fa["stage"][:]),txt(fa["kind"][:]),txt(fa["reason"][:]))]
    V=np.array([np.r_[d.X[s:s+k].mean(0),d.X[s:s+k].std(0),3*np.log(k)] for s,k in zip(d.fs,d.fc)]); V=(V-V.mean(0))/(V.std(0)+1e-9)
    G=((V[:,None]-V[None])**2).sum(2) if d.n<800 else None
    np.fill_diagonal(G,1e9); y=np.array([l[0] if l else -1 for l in d.labels[:d.n]]); d.score=[]; d.reasons={}; d.sugg={}
    for i in range(d.n):
        if y[i]<0: d.score.append(None); continue
        nb=np.argsort(G[i])[:8]; w=1/(1+np.sqrt(G[i][nb])); v={}
        for q,ww in zip(nb,w): v[y[q]]=v.get(y[q],0)+ww
        own=v.get(y[i],0); ot=max([v[q] for q in v if q!=y[i]],default=0); s=float((ot-own)/w.sum()); d.score.append(round(s,3))
        if s>0:
            best=max((q for q in v if q!=y[i]),key=lambda q:v[q]); 
            if best>=0: d.reasons[str(i)]=[f"has label {d.labelnames[y[i]]}; its neighbours have {d.labelnames[best]}"]; d.sugg[str(i)]=d.labelnames[best]
    d.order=[i for i in np.argsort([-s if s is not None else 9 for s in d.score]).tolist() if d.score[i] is not None]
    S=1/(1+G); iu=np.triu_indices(d.n,1); o=np.argsort(-S[iu])[:60]
    d.pairs=[{"a":int(iu[0][k]),"b":int(iu[1][k]),"similarity":float(np.round(np.exp(-G[iu[0][k],iu[1][k]]/300),4)),"splits":d.split[iu[0][k]]!=d.split[iu[1][k]],"equal":bool(G[iu[0][k],iu[1][k]]<1e-9)} for k in o]
    d.score+=[None]*d.f
    j=F[:-3]+".ann.json"; d.annotations=json.load(open(j)) if os.path.exists(j) else {}
    d.fl=None; h.close(); return d
def sound(d,i,t0,t1):
    if d.path is None: raise FileNotFoundError
    p=d.path[i]; p=p if os.path.isabs(p) else os.path.join(os.path.dirname(os.path.abspath(F)),p)
    if F.startswith("synthetic:"):
        r=8000; n=int(r*(t1-t0)); t=t0+np.arange(n)/r; x=.3*np.sin(2*np.pi*(500+i%7*300)*t)*(np.sin(2*np.pi*3*t)>0)+.01*np.random.default_rng(i).normal(size=n); return x[:,None].astype(np.float32),r,t0,"PCM_16",d.dur[i]
    with soundfile.SoundFile(p) as s:
        r=s.samplerate; st=d.start[i]; a=max(0,int(round((st+t0)*r))); b=min(s.frames,int(round((st+t1)*r))) if t1 is not None else s.frames
        s.seek(a); x=s.read(max(0,b-a),dtype="float32",always_2d=True); return x,r,a/r-st,s.subtype,s.frames/r
def duration(d,i):
    if d.dur[i] is None and (not d.fail or not d.fail[i]): 
        x,r,_,_,tot=sound(d,i,0,None); d.dur[i]=tot-d.start[i]
    return d.dur[i]
def level(d,i):
    try:
        x,*_=sound(d,i,0,d.dur[i]); m=np.abs(x).max(); d.peak[i]=round(float(20*np.log10(m)),2) if m>0 else -120.0; d.rms[i]=round(float(10*np.log10((x**2).mean()+1e-12)),2)
    except Exception as e: pass
DATA=load(); GEN=secrets.token_hex(4); LINES=[]; LOCK=threading.Lock()
CORR=os.path.splitext(F)[0]+".corrections.jsonl" if not F.startswith("synthetic") else "/tmp/P1/synthetic.jsonl"
if os.path.exists(CORR): LINES=[json.loads(l) for l in open(CORR)]
def current(d):
    return GEN if F.startswith("synthetic:") or (os.path.exists(F) and os.stat(F).st_mtime_ns==d.stamp) else GEN+"x"
class H(BaseHTTPRequestHandler):
    protocol_version="HTTP/1.1"
    def log_message(self,*a): pass
    def out(self,code,body,type="application/json",**h):
        if not isinstance(body,bytes): body=json.dumps(body).encode()
        self.send_response(code); self.send_header("Content-Type",type); self.send_header("Content-Length",str(len(body)))
        self.send_header("Content-Security-Policy","default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
        self.send_header("X-Content-Type-Options","nosniff"); self.send_header("Cache-Control","no-store")
        for k,v in h.items(): self.send_header(k.replace("_","-"),str(v))
        self.end_headers()
        if self.command!="HEAD": self.wfile.write(body)
    def fail(self,code,m): self.out(code,{"error":m})
    def do_HEAD(self): self.do_GET()
    def do_GET(self):
        try: self.get()
        except (BrokenPipeError,ConnectionResetError): pass
        except Exception as e:
            import traceback; traceback.print_exc(); self.fail(500,f"{type(e).__name__}: {e}")
    def get(self):
        u=urlsplit(self.path); q={k:v[0] for k,v in parse_qs(u.query).items()}; d=DATA
        if SLOW: time.sleep(SLOW)
        if q.get("token")==TOKEN: return self.out(303,b"",Location="/",Set_Cookie=f"veery_{self.server.server_port}={TOKEN}; HttpOnly; SameSite=Strict; Path=/")
        if f"veery_{self.server.server_port}={TOKEN}" not in self.headers.get("Cookie",""): return self.fail(403,"open the address that veery browse printed")
        p=u.path
        if p=="/" or re.fullmatch(r"/[\w-]+\.(js|css|svg)",p):
            f=os.path.join(RES,"page.html" if p=="/" else p[1:])
            if not os.path.exists(f): return self.fail(404,"no such file")
            t={"html":"text/html; charset=utf-8","js":"text/javascript; charset=utf-8","css":"text/css; charset=utf-8","svg":"image/svg+xml"}[f.rsplit(".")[-1]]
            return self.out(200,open(f,"rb").read(),t)
        N=d.n+d.f
        if p=="/api/state": return self.out(200,{"generation":current(d),"corrections":len(LINES)})
        if p=="/api/corrections":
            a=int(q.get("after",0)); return self.out(200,{"next":len(LINES),"lines":LINES[a:]})
        if current(d)!=GEN: return self.fail(410,"the file was replaced")
        if p=="/api/dataset":
            return self.out(200,{"name":d.name,"kind":d.kind,"command":f"veery browse {d.name}","clips":d.n,"failures":d.f,"labels":d.labelnames,"splits":d.splits,"columns":list(d.cols),"multilabel":d.multi,"units":d.units,"bins":d.bins,"framePeriod":d.fp,"firstFrameTime":d.ft,"longName":d.long,"frequency":d.freq,"frequencyScale":d.scale,"floor":True,"range":d.range,"colours":colours(),"corrections":os.path.basename(CORR),"canPlay":True,"generation":GEN,"version":"veery 0.2.0"})
        if p=="/api/clips":
            a=int(q["from"]); n=max(0,min(int(q["count"]),50000,N-a)); s=slice(a,a+n); g=lambda x,v=None:(list(x)+[v]*(N-len(x)))[s] if len(x)<N else x[s]
            return self.out(200,{"from":a,"n":n,"id":d.id[s],"path":d.path[s],"labels":d.labels[s],"split":d.split[s],"start":d.start[s],"duration":g(d.dur),"frames":g(d.frames),"floorShare":g(d.floor),"peak":g(d.peak),"rms":g(d.rms),"failure":g(d.fail),"columns":{k:v[s] for k,v in d.cols.items()}})
        if p=="/api/suspicion":
            if d.score is None: return self.out(200,{"state":"none","done":1,"note":"Suspicion needs features: run veery extract first.","score":[],"reasons":{},"suggested":{},"order":[],"pairs":[]})
            d.asked=getattr(d,"asked",0)+1
            if d.asked==1: return self.out(200,{"state":"computing","done":.3,"note":""},Retry_After=1)
            return self.out(200,{"state":"done","done":1,"note":"","score":d.score,"floorShare":d.floor,"reasons":d.reasons,"suggested":d.sugg,"order":d.order,"pairs":d.pairs})
        m=re.fullmatch(r"/api/clips/(\d+)(/\w+(?:\.wav)?)?",p)
        if not m or int(m[1])>=N: return self.fail(404,"no such clip")
        i=int(m[1]); what=m[2]
        try: dur=duration(d,i)
        except Exception: dur=None
        if what is None:
            ok=True; msg=""; tot=None
            try: x,r,_,_,tot=sound(d,i,0,.001)
            except Exception as e: ok=False; msg=f"the recording cannot be read: {e}"; r=d.rate[i]
            if d.peak[i] is None and ok and dur: level(d,i)
            ann=[]
            for s,e,l in getattr(d,"annotations",{}).get(os.path.basename(d.path[i]),[]):
                s-=d.start[i]; e-=d.start[i]
                if dur and e>-5 and s<dur+5: ann.append({"label":l,"start":s,"end":e,"low":800 if l in "abc" else None,"high":7000 if l in "abc" else None})
            fl=[{"label":a["label"],"start":max(0,a["start"]),"end":min(dur,a["end"])} for a in ann if a["end"]>0 and a["start"]<dur]
            return self.out(200,{"number":i,"id":d.id[i],"path":d.path[i],"labels":d.labels[i],"split":d.split[i],"start":d.start[i],"duration":dur,"frames":d.frames[i],"sampleRate":d.rate[i] or (r if ok else None),"channels":d.ch[i],"columns":{k:v[i] for k,v in d.cols.items()},"failure":d.fail[i] if d.fail else None,"peak":d.peak[i],"rms":d.rms[i],"frameLabels":fl,"annotations":ann,"recording":{"found":ok,"duration":tot,"message":msg}})
        if what=="/values":
            if F.startswith("synthetic"): X=np.random.default_rng(i).normal(-40,12,(d.frames[i] or 1,80)).astype(np.float32); fs=0
            elif d.kind=="manifest" or i>=d.n: return self.fail(404,"no stored values")
            else: X=d.X[d.fs[i]:d.fs[i]+d.fc[i]]
            a,b=0,len(X)
            if "from" in q: a=max(0,int(np.floor((float(q["from"])-d.ft)/d.fp))); b=min(len(X),int(np.ceil((float(q["to"])-d.ft)/d.fp))+1)
            X=X[a:b]; k=max(1,-(-len(X)//int(q.get("frames",2000)))); X=np.array([X[j:j+k].mean(0) for j in range(0,len(X),k)],dtype="<f4")
            return self.out(200,X.tobytes(),"application/octet-stream",X_Rows=len(X),X_Bins=d.bins,X_Row_Period=d.fp*k,X_First_Time=d.ft+a*d.fp+(k-1)/2*d.fp)
        if dur is None: return self.fail(404,"the recording cannot be read")
        be=float(q.get("before",0)); af=float(q.get("after",0))
        try: x,r,first,sub,tot=sound(d,i,-be,dur+af)
        except Exception as e: return self.fail(404,f"the recording cannot be read: {e}")
        if what=="/sound.wav":
            b=io.BytesIO(); soundfile.write(b,x,r,format="WAV",subtype="PCM_16" if sub in("PCM_16","VORBIS","PCM_S8","PCM_U8") else "FLOAT"); b=b.getvalue()
            rg=re.fullmatch(r"bytes=(\d*)-(\d*)",self.headers.get("Range",""))
            if rg:
                s=int(rg[1] or 0); e=min(int(rg[2] or len(b)-1),len(b)-1)
                if s>=len(b): return self.out(416,b"",Content_Range=f"bytes */{len(b)}")
                return self.out(206,b[s:e+1],"audio/wav",Content_Range=f"bytes {s}-{e}/{len(b)}",Accept_Ranges="bytes",X_First_Time=first)
            return self.out(200,b,"audio/wav",Accept_Ranges="bytes",X_First_Time=first)
        m1=x.mean(1)
        if what=="/waveform":
            c=min(int(q.get("columns",1200)),max(1,len(m1))); e=np.linspace(0,len(m1),c+1).astype(int)
            P=np.array([[m1[s:t].min(),m1[s:t].max()] if t>s else [0,0] for s,t in zip(e,e[1:])],dtype="<f4")
            return self.out(200,P.tobytes(),"application/octet-stream",X_Columns=c,X_First_Time=first,X_Column_Period=len(m1)/r/c)
        if what=="/spectrogram":
            n=int(q.get("size",1024)); rows=int(q.get("frames",2000)); hop=max(n//4,-(-len(m1)//rows)) if len(m1)/max(1,n//8)>rows else max(1,n//8)
            pad=np.r_[np.zeros(n//2,np.float32),m1,np.zeros(n//2,np.float32)]; w=get_window("hann",n); idx=range(0,len(m1),hop)
            S=np.array([10*np.log10(np.abs(np.fft.rfft(pad[j:j+n]*w))**2/(w.sum()/2)**2+1e-12) for j in idx],dtype="<f4")
            return self.out(200,S.tobytes(),"application/octet-stream",X_Rows=len(S),X_Bins=n//2+1,X_Row_Period=hop/r,X_First_Time=first,X_Nyquist=r/2)
        self.fail(404,"no such address")
    def do_POST(self):
        b=self.rfile.read(int(self.headers.get("Content-Length",0))); d=DATA
        if self.headers.get("Content-Type")!="application/json": return self.fail(415,"expected JSON")
        if self.headers.get("Origin")!=f"http://127.0.0.1:{self.server.server_port}": return self.fail(403,"another origin")
        if current(d)!=GEN: return self.fail(410,"the file was replaced")
        j=json.loads(b); new=[]
        with LOCK:
            for c in j["corrections"]:
                if c["action"] in("relabel","add") and c["label"] not in d.labelnames and not c.get("new"): return self.fail(400,f"the dataset has no label '{c['label']}'")
                new.append({"line":len(LINES)+len(new),"clip":c["clip"],"action":c["action"],"label":c.get("label",""),"note":c.get("note",""),"given":time.strftime("%Y-%m-%dT%H:%M:%SZ",time.gmtime()),"by":j["by"]})
            with open(CORR,"a") as f: f.write("".join(json.dumps(x)+"\n" for x in new)); f.flush(); os.fsync(f.fileno())
            first=j.get("after",len(LINES)); LINES.extend(new); n=len(LINES)
        self.out(200,{"next":n,"lines":LINES[first:n]})
if __name__=="__main__":
    s=ThreadingHTTPServer(("127.0.0.1",PORT),H); s.daemon_threads=True
    print(f"http://127.0.0.1:{s.server_port}/?token={TOKEN}",flush=True); s.serve_forever()
